import type { FastifyInstance, FastifyReply } from 'fastify';
import { userServiceRoutes } from '../../../shared/routes/auth.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { everybody, implement, WRITTEN } from '../../http/implement.ts';
import { sessionView } from '../session/session.ts';
import { beginSession, signInHeaders } from './begin-session.ts';
import { hasLocalAccounts } from './login-params.ts';
import { withoutTokens } from './tokens.ts';
import { deviceTokenOf, sessionOf, type UserService, type UserServiceAnswer } from './user-service.ts';

/** An answer, or what stands for one that never came. */
type Asked = UserServiceAnswer | { failure: unknown };

export async function asked(answer: Promise<UserServiceAnswer>): Promise<Asked> {
  return answer.catch((failure: unknown) => ({ failure }));
}

/**
 * Signs in by a third party: tokens in the answer become a session and stay here (specification section 7), and so does
 * the id of what must be bound first.
 */
export async function thirdPartyRoutes(
  app: FastifyInstance,
  { userService }: { userService: UserService },
): Promise<void> {
  const { gateway, pendingBinds, roles, sessions } = app;
  implement(
    app,
    everybody,
    userServiceRoutes.signInByThirdParty,
    async ({ params, body, request, reply }) => {
      const { source } = params;
      const headers = signInHeaders(app, request);
      const answer = await asked(userService.call('thirdPartyAuth', { params: { source }, body, headers }));
      if ('failure' in answer) return sendFailure(reply, answer.failure);
      const secrets = await request.sessionTokens();
      if (!answer.ok) return sendRefusal(reply, answer, secrets);
      const session = sessionOf(answer, gateway.now());
      if (!session) {
        const { need_bind, id } = answer.data;
        const known = withoutTokens(answer.data, secrets);
        if (need_bind !== true || typeof id !== 'string' || !hasLocalAccounts(gateway.config)) {
          return { session: null, answer: known };
        }
        return { session: null, answer: { ...known, id: pendingBinds.keep(reply, { id }) } };
      }
      await beginSession(app, reply, { session, deviceToken: deviceTokenOf(answer) });
      const view = sessionView(session, await roles.of(session), sessions.limits);
      return {
        session: view,
        answer: withoutTokens(answer.data, [...secrets, session.access_token, session.refresh_token]),
      };
    },
  );
}

/**
 * Answers a refusal of the user service with its own body, as callers of these calls expect it (specification section 8),
 * and its status.
 * @throws UPSTREAM_INVALID for what is no refusal: a service that fails may say anything of what is behind it
 */
export function sendRefusal(
  reply: FastifyReply,
  { status, body, retryAfter }: UserServiceAnswer,
  secrets: readonly string[],
): typeof WRITTEN {
  const isRefusal = status >= 400 && status < 500;
  if (!isRefusal) throw appError('UPSTREAM_INVALID', { cause: new Error(`third party answered ${status}`) });
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  reply.code(status).send(withoutTokens(body, secrets));
  return WRITTEN;
}

/** Answers a call without an answer with an empty object (specification section 8). @throws what is no such failure */
export function sendFailure(reply: FastifyReply, error: unknown): typeof WRITTEN {
  if (!isAppError(error) || !error.code.startsWith('UPSTREAM_')) throw error;
  reply.request.log.warn(
    { err: error.cause ?? error, code: error.code },
    'third-party authentication request failed',
  );
  reply.code(error.statusCode).send({});
  return WRITTEN;
}
