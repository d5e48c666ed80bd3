import type { ErrorCode } from '../../../shared/errors.ts';
import type { userServiceRoutes } from '../../../shared/routes/auth.ts';
import { setCookies } from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { type Session, sessionHash, sessionView } from '../session/session.ts';
import { tokenClaims } from '../session/token-claims.ts';
import { isObject } from '../upstream/ask.ts';
import { asPerson } from './as-person.ts';
import type { AuthParts } from './parts.ts';
import { shortName, userInfoOf } from './sign-in-answer.ts';
import { tokensOf } from './tokens.ts';
import type { UserService } from './user-service.ts';

type Routes = typeof userServiceRoutes;

/** What a refusal of the user service means to who has asked; anything else is an unusable answer. */
const REFUSALS: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_FAILED',
  401: 'TOKEN_INVALID',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
};

/**
 * Goes on as a member of another enterprise (`user/reset_token`). The session keeps its id, so that other tabs and calls
 * under way go on with it; its tokens and user info are the new ones.
 */
export function enterEnterprise(
  parts: AuthParts,
  userService: UserService,
): Handler<Routes['enterEnterprise']> {
  const { sessions, roleOf, log, now } = parts;

  async function enter(session: Session, e_id: number): Promise<Session> {
    const answer = await userService.call('resetToken', { bearer: session.access_token, body: { e_id } });
    if (!answer.ok && REFUSALS[answer.status] !== undefined)
      throw appError(REFUSALS[answer.status] ?? 'INTERNAL');
    const tokens = answer.ok ? tokensOf(answer.data, { date: answer.date, now: now() }, session) : undefined;
    if (!tokens) throw unusable(`enterprise answered ${answer.status}`);
    const { user_info: info } = answer.data;
    const user = isObject(info) ? userInfoOf(info) : { ...session.user, e_id };
    if (user?.user_id !== session.user.user_id) throw unusable('enterprise answered another person');
    const sid = shortName(tokenClaims(tokens.access_token).sid) ?? session.sid;
    return { ...session, ...tokens, user, sid, generation: session.generation + 1, validated: now() };
  }

  return async ({ body, request, reply }) => {
    const { visit, answer: session } = await asPerson(parts, request, reply, (current) =>
      sessions.replace(current, (newest) => enter(newest, body.e_id)),
    );
    log.info({ event: 'enterprise', session: sessionHash(session), reqId: request.id }, 'tokens replaced');
    setCookies(reply, sessions.cookies({ ...visit, session }, request.cookies, { slide: true }));
    return sessionView(session, await roleOf(session), sessions.limits);
  };
}

function unusable(why: string) {
  return appError('UPSTREAM_INVALID', { cause: new Error(why) });
}
