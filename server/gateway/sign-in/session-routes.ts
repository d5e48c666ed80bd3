import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { SessionView, UserInfo } from '../../../shared/entities/user.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { accountRoutes } from '../../../shared/routes/account.ts';
import { authRoutes, userServiceRoutes } from '../../../shared/routes/auth.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { updateSession } from '../session/plugin.ts';
import { type Session, sessionHash } from '../session/session.ts';
import { findSession, sessionViewOf } from '../session/view.ts';
import { isObject } from '../upstream.ts';
import { hasLocalAccounts } from './login-params.ts';
import { tokenClaims, tokensFromResponse, withUserToken } from './provider.ts';
import {
  callAsUser,
  type UserServiceAnswer,
  unexpectedResponse,
  userInfoOf,
  validIdentifier,
} from './user-service.ts';

/** The session, sign-out, and calls of signed-in users to the user service. */
export async function sessionRoutes(app: FastifyInstance): Promise<void> {
  const { provider, sessions, userService } = app;

  /** Polling this route does not extend the idle timeout (R 9.22). */
  implement(app, authRoutes.readSession, async ({ request }) => {
    const { session, hasFreshToken } = await findSession(request, 'keep');
    // Its tokens in Redis cannot be read now: "not signed in" would take the page away from whoever is.
    if (request.sessionState?.kind === 'unchecked') throw appError('SERVICE_UNAVAILABLE');
    return sessionViewOf(app, session, hasFreshToken);
  });

  /**
   * Always ends the session in the gateway; fails if it cannot be revoked at the sign-in service
   * (R 8.15). Returns the logout URL of the sign-in service, if the browser must open it.
   */
  implement(app, authRoutes.logout, async ({ request, reply }) => {
    const found = await request.loadSession('none').catch(async (error: unknown) => {
      // Its tokens in Redis are unavailable; it ends in the gateway anyway.
      const { sessionState: state } = request;
      if (state?.kind === 'unchecked') await sessions.end(state.fromCookie);
      reply.clearSession();
      throw error;
    });
    reply.clearSession();
    if (!found) return { redirect_url: null };
    const ended = await sessions.end(found);
    request.log.info({ event: 'logout', session: sessionHash(ended) }, 'signed out');
    return { redirect_url: await provider.signOut(ended) };
  });

  /** The current user info; without a session 'no exist local authInfo' (R 8.9). */
  implement(app, authRoutes.readUserInfo, ({ request }) => withUserToken(request, provider.userInfo));

  if (!userService) return;
  /** Whether `user/login/code` issues a code, and its lifetime; the code itself stays in the gateway. */
  implement(app, userServiceRoutes.readLoginCode, async ({ request }) => {
    const answer = await callAsUser(request, 'loginCode');
    if (answer.status >= 500) throw unexpectedResponse('login code', answer);
    const { code, expires_in } = answer.data;
    const issued = answer.ok && typeof code === 'string' && code !== '';
    const lifetime = issued && Number.isSafeInteger(expires_in) ? Number(expires_in) : null;
    return { issued, expires_in: lifetime };
  });

  /**
   * Switches to another enterprise (`user/reset_token`). The session gets new tokens and user info but keeps its id, so
   * that other tabs and pending calls continue to work.
   */
  implement(app, userServiceRoutes.enterEnterprise, ({ body: { e_id }, reply }) =>
    replaceTokens(app, reply, 'enterprise', async ({ access_token: bearer, user }) => ({
      answer: await userService.call('resetToken', { bearer, body: { e_id } }),
      user: { ...user, e_id },
    })),
  );

  if (!hasLocalAccounts(app.gateway.config)) return;
  /** Changes the user's name or picture at our own identity service and in this session. */
  implement(app, accountRoutes.changeProfile, ({ body, reply }) =>
    replaceTokens(app, reply, 'profile', async ({ access_token: bearer, user }) => ({
      answer: await userService.call('changeProfile', { bearer, body }),
      user,
    })),
  );
}

/** Error codes for refusals of the user service; any other status is an unexpected response. */
const REFUSALS: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_FAILED',
  401: 'TOKEN_INVALID',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
};

/** A validation error of one field. */
const Detail = Type.Object({ pointer: Type.String(), message: Type.String() });

/** Makes a call that returns new tokens, and stores them in the session; `user`: if the response contains none. */
async function replaceTokens(
  app: FastifyInstance,
  { request }: FastifyReply,
  event: string,
  call: (session: Session) => Promise<{ answer: UserServiceAnswer; user: UserInfo }>,
): Promise<SessionView> {
  const { gateway, sessions } = app;
  async function change(session: Session): Promise<Session> {
    const { answer, user: otherwise } = await call(session);
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
    const tokens = ok ? tokensFromResponse(data, { date, now }, session) : undefined;
    const user = isObject(data.user_info) ? userInfoOf(data.user_info) : otherwise;
    if (!tokens || user?.user_id !== session.user.user_id) throw unexpectedResponse(event, answer);
    const sid = validIdentifier(tokenClaims(tokens.access_token).sid) ?? session.sid;
    return { ...session, ...tokens, user, sid, generation: session.generation + 1, validated: now };
  }

  const session = await withUserToken(request, (current) => sessions.replace(current, change));
  updateSession(request, session);
  request.log.info({ event, session: sessionHash(session) }, 'tokens replaced');
  return sessionViewOf(app, session);
}
