import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionView, UserInfo } from '../../../shared/entities/user.ts';
import type { ErrorCode, ErrorDetail } from '../../../shared/errors.ts';
import type { accountRoutes } from '../../../shared/routes/account.ts';
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
import type { UserService, UserServiceAnswer } from './user-service.ts';

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
  return ({ body, request, reply }) =>
    replaceTokens(parts, { request, reply, event: 'enterprise' }, async (session) => ({
      answer: await userService.call('resetToken', {
        bearer: session.access_token,
        body: { e_id: body.e_id },
      }),
      user: { ...session.user, e_id: body.e_id },
    }));
}

/** Changes name or picture of the own account, at our own identity service; this session shows them at once. */
export function changeProfile(
  parts: AuthParts,
  userService: UserService,
): Handler<(typeof accountRoutes)['changeProfile']> {
  return ({ body, request, reply }) =>
    replaceTokens(parts, { request, reply, event: 'profile' }, async (session) => ({
      answer: await userService.call('changeProfile', { bearer: session.access_token, body }),
      user: session.user,
    }));
}

type Asking = { request: FastifyRequest; reply: FastifyReply; event: string };
/** The user service's answer, and the user info where it says none. */
type Replaced = { answer: UserServiceAnswer; user: UserInfo };

/** Makes a call that answers new tokens, and goes on with them in the same session. */
async function replaceTokens(
  parts: AuthParts,
  { request, reply, event }: Asking,
  ask: (session: Session) => Promise<Replaced>,
): Promise<SessionView> {
  const { sessions, roleOf, log, now } = parts;

  async function change(session: Session): Promise<Session> {
    const { answer, user: otherwise } = await ask(session);
    const refusal = answer.ok ? undefined : REFUSALS[answer.status];
    if (refusal !== undefined) throw appError(refusal, { details: detailsIn(answer.body) });
    const tokens = answer.ok ? tokensOf(answer.data, { date: answer.date, now: now() }, session) : undefined;
    if (!tokens) throw unusable(`${event} answered ${answer.status}`);
    const { user_info: info } = answer.data;
    const user = isObject(info) ? userInfoOf(info) : otherwise;
    if (user?.user_id !== session.user.user_id) throw unusable(`${event} answered another person`);
    const sid = shortName(tokenClaims(tokens.access_token).sid) ?? session.sid;
    return { ...session, ...tokens, user, sid, generation: session.generation + 1, validated: now() };
  }

  const { visit, answer: session } = await asPerson(parts, request, reply, (current) =>
    sessions.replace(current, change),
  );
  log.info({ event, session: sessionHash(session), reqId: request.id }, 'tokens replaced');
  setCookies(reply, sessions.cookies({ ...visit, session }, request.cookies, { slide: true }));
  return sessionView(session, await roleOf(session), sessions.limits);
}

/** Which fields were refused, as far as the answer says. */
function detailsIn({ errors }: Record<string, unknown>): ErrorDetail[] {
  const all: unknown[] = Array.isArray(errors) ? errors : [];
  return all.flatMap((each) =>
    isObject(each) && typeof each.pointer === 'string' && typeof each.message === 'string'
      ? [{ pointer: each.pointer, message: each.message }]
      : [],
  );
}

function unusable(why: string) {
  return appError('UPSTREAM_INVALID', { cause: new Error(why) });
}
