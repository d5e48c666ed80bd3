import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { SessionView, UserInfo } from '../../../shared/entities/user.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { accountRoutes } from '../../../shared/routes/account.ts';
import { authRoutes, userServiceRoutes } from '../../../shared/routes/auth.ts';
import { appError } from '../../http/errors.ts';
import { everybody, implement } from '../../http/implement.ts';
import {
  authenticated,
  findSession,
  sessionViewOf,
  updateSession,
  withUserToken,
} from '../session/current.ts';
import { type Session, sessionHash } from '../session/session.ts';
import { isObject } from '../upstream.ts';
import { hasLocalAccounts } from './login-params.ts';
import { tokenClaims, tokensOf } from './provider.ts';
import { callAsUser, shortName, type UserServiceAnswer, unusable, userInfoOf } from './user-service.ts';

/** What pages ask of the session, signing out, and calls of a signed-in user that only a user service answers. */
export async function sessionRoutes(app: FastifyInstance): Promise<void> {
  const { provider, sessions, userService } = app;

  /** Who this browser is. Pages may ask as often as they like: that alone keeps no session alive. */
  implement(app, everybody, authRoutes.readSession, async ({ request }) => {
    const hasFreshToken = await findSession(request, 'keep');
    return sessionViewOf(app, request.session, hasFreshToken);
  });

  /**
   * Ends the session here whatever the sign-in service says, and fails when it could not be told there (specification
   * section 4). Answers where the browser must go to be signed out there as well.
   */
  implement(app, everybody, authRoutes.logout, async ({ request, reply }) => {
    const found = await request.loadSession('none').catch(async (error: unknown) => {
      // Its tokens cannot be had now: it ends here all the same.
      const copy = sessions.inCookies(request.cookies);
      if (copy) await sessions.end(copy);
      reply.clearSession();
      throw error;
    });
    reply.clearSession();
    if (!found) return { redirect_url: null };
    const ended = await sessions.end(found);
    request.log.info({ event: 'logout', session: sessionHash(ended) }, 'signed out');
    return { redirect_url: await provider.signOut(ended) };
  });

  /** The user info as the sign-in service has it now. Without a session: 'no exist local authInfo' (specification section 4). */
  const withLocalSession = async (_route: unknown, request: FastifyRequest): Promise<void> => {
    await request.authenticate('user', { absent: 'NO_LOCAL_SESSION' });
  };
  implement(app, withLocalSession, authRoutes.readUserInfo, ({ request }) =>
    withUserToken(request, provider.userInfo),
  );

  if (!userService) return;
  /**
   * Whether the user service hands out a login code for this session (`user/login/code`). No code leaves the gateway, so
   * the answer says that there is one and for how long; the code itself runs out unused.
   */
  implement(app, authenticated, userServiceRoutes.readLoginCode, async ({ request }) => {
    const answer = await callAsUser(request, 'loginCode');
    if (answer.status >= 500) throw unusable('login code', answer);
    const { code, expires_in } = answer.data;
    const issued = answer.ok && typeof code === 'string' && code !== '';
    const lifetime = issued && Number.isSafeInteger(expires_in) ? Number(expires_in) : null;
    return { issued, expires_in: lifetime };
  });

  /**
   * Goes on as a member of another enterprise (`user/reset_token`). The session keeps its id, so that other tabs and calls
   * under way go on with it; its tokens and user info are the new ones.
   */
  implement(app, authenticated, userServiceRoutes.enterEnterprise, ({ body: { e_id }, reply }) =>
    replaceTokens(app, reply, 'enterprise', async ({ access_token: bearer, user }) => ({
      answer: await userService.call('resetToken', { bearer, body: { e_id } }),
      user: { ...user, e_id },
    })),
  );

  if (!hasLocalAccounts(app.gateway.config)) return;
  /** Changes name or picture of the own account, at our own identity service; this session shows them at once. */
  implement(app, authenticated, accountRoutes.changeProfile, ({ body, reply }) =>
    replaceTokens(app, reply, 'profile', async ({ access_token: bearer, user }) => ({
      answer: await userService.call('changeProfile', { bearer, body }),
      user,
    })),
  );
}

/** What a refusal of the user service means to who has asked; anything else is an unusable answer. */
const REFUSALS: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_FAILED',
  401: 'TOKEN_INVALID',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
};

/** Which fields were refused, as far as an answer says. */
const Detail = Type.Object({ pointer: Type.String(), message: Type.String() });

/** Makes a call that answers new tokens, and goes on with them in the same session; `user` where the answer names none. */
async function replaceTokens(
  app: FastifyInstance,
  { request }: FastifyReply,
  event: string,
  ask: (session: Session) => Promise<{ answer: UserServiceAnswer; user: UserInfo }>,
): Promise<SessionView> {
  const { gateway, sessions } = app;
  async function change(session: Session): Promise<Session> {
    const { answer, user: otherwise } = await ask(session);
    const { ok, data, date } = answer;
    const refusal = ok ? undefined : REFUSALS[answer.status];
    if (refusal !== undefined) {
      const errors: unknown[] = Array.isArray(answer.body.errors) ? answer.body.errors : [];
      const details = errors.filter((each) => Value.Check(Detail, each));
      throw appError(refusal, {
        details: details.map(({ pointer, message }) => ({ pointer, message })),
      });
    }
    const now = gateway.now();
    const tokens = ok ? tokensOf(data, { date, now }, session) : undefined;
    const user = isObject(data.user_info) ? userInfoOf(data.user_info) : otherwise;
    if (!tokens || user?.user_id !== session.user.user_id) throw unusable(event, answer);
    const sid = shortName(tokenClaims(tokens.access_token).sid) ?? session.sid;
    return { ...session, ...tokens, user, sid, generation: session.generation + 1, validated: now };
  }

  const session = await withUserToken(request, (current) => sessions.replace(current, change));
  updateSession(request, session);
  request.log.info({ event, session: sessionHash(session) }, 'tokens replaced');
  return sessionViewOf(app, session);
}
