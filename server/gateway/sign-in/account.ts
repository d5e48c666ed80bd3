import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SessionView, UserInfo } from '../../../shared/entities/user.ts';
import type { ErrorCode, ErrorDetail } from '../../../shared/errors.ts';
import { accountRoutes } from '../../../shared/routes/account.ts';
import { userServiceRoutes } from '../../../shared/routes/auth.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { authenticated, updateSession, withUserToken } from '../session/current.ts';
import { type Session, sessionHash, sessionView } from '../session/session.ts';
import { isObject } from '../upstream/ask.ts';
import { hasLocalAccounts } from './login-params.ts';
import { tokenClaims, tokensOf } from './tokens.ts';
import { shortName, type UserService, type UserServiceAnswer, userInfoOf } from './user-service.ts';

/** What a refusal of the user service means to who has asked; anything else is an unusable answer. */
const REFUSALS: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_FAILED',
  401: 'TOKEN_INVALID',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
};

/** The user service's answer, and the user info where it says none. */
type Replaced = { answer: UserServiceAnswer; user: UserInfo };

/** Calls of a signed-in user that answer new tokens. */
export async function tokenRoutes(
  app: FastifyInstance,
  { userService }: { userService: UserService },
): Promise<void> {
  /**
   * Goes on as a member of another enterprise (`user/reset_token`). The session keeps its id, so that other tabs and calls
   * under way go on with it; its tokens and user info are the new ones.
   */
  implement(app, authenticated, userServiceRoutes.enterEnterprise, ({ body, reply }) =>
    replaceTokens(app, reply, 'enterprise', async (session) => ({
      answer: await userService.call('resetToken', {
        bearer: session.access_token,
        body: { e_id: body.e_id },
      }),
      user: { ...session.user, e_id: body.e_id },
    })),
  );

  if (!hasLocalAccounts(app.gateway.config)) return;
  /** Changes name or picture of the own account, at our own identity service; this session shows them at once. */
  implement(app, authenticated, accountRoutes.changeProfile, ({ body, reply }) =>
    replaceTokens(app, reply, 'profile', async (session) => ({
      answer: await userService.call('changeProfile', { bearer: session.access_token, body }),
      user: session.user,
    })),
  );
}

/** Makes a call that answers new tokens, and goes on with them in the same session. */
async function replaceTokens(
  { gateway: { now }, roles, sessions }: FastifyInstance,
  { request }: FastifyReply,
  event: string,
  ask: (session: Session) => Promise<Replaced>,
): Promise<SessionView> {
  async function change(session: Session): Promise<Session> {
    const { answer, user: otherwise } = await ask(session);
    const refusal = answer.ok ? undefined : REFUSALS[answer.status];
    if (refusal !== undefined) throw appError(refusal, { details: detailsIn(answer.body) });
    const tokens = answer.ok ? tokensOf(answer.data, { date: answer.date, now: now() }, session) : undefined;
    if (!tokens) throw unusable(`${event} answered ${answer.status}`);
    const { user_info: info } = answer.data;
    const user = isObject(info) ? userInfoOf(info) : otherwise;
    if (user?.user_id !== session.user.user_id) throw unusable(`${event} answered another user`);
    const sid = shortName(tokenClaims(tokens.access_token).sid) ?? session.sid;
    return { ...session, ...tokens, user, sid, generation: session.generation + 1, validated: now() };
  }

  const session = await withUserToken(request, (current) => sessions.replace(current, change));
  updateSession(request, session);
  request.log.info({ event, session: sessionHash(session) }, 'tokens replaced');
  return sessionView(session, await roles.of(session), sessions.limits);
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
