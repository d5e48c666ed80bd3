import type { FastifyInstance } from 'fastify';
import { BACKCHANNEL_LOGOUT_PATH } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import type { LogoutOrder } from './logout-token.ts';

const FORM = 'application/x-www-form-urlencoded';
const BODY_BYTES = 16 * 1024;

/**
 * OpenID Connect Back-Channel Logout 1.0: the provider itself calls, so the page's header is not asked for; its signature
 * is. 200 when the sessions have ended, 400 for anything else (section 2.8).
 */
export async function backchannelLogout(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: BODY_BYTES }, (_request, text, done) =>
    done(null, new URLSearchParams(String(text))),
  );
  scope.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(null);
  });
  scope.post(BACKCHANNEL_LOGOUT_PATH, { config: { fromServers: true } }, async (request, reply) => {
    const order = await orderIn(scope, request.body);
    await endSessions(scope, order);
    const by = order.sid === null ? 'sub' : 'sid';
    request.log.info({ event: 'backchannel_logout', by }, 'sessions ended by the sign-in service');
    return reply.header('cache-control', 'no-store').send('');
  });
}

async function orderIn({ gateway, provider, shared }: FastifyInstance, body: unknown): Promise<LogoutOrder> {
  const tokens = body instanceof URLSearchParams ? body.getAll('logout_token') : [];
  const [token] = tokens;
  if (token === undefined || tokens.length > 1) throw appError('LOGOUT_TOKEN_INVALID');
  try {
    const { logoutOrder } = await import('./logout-token.ts');
    const order = await logoutOrder(token, await provider.logoutTokenRules(), {
      state: shared.state,
      now: gateway.now(),
    });
    if (order) return order;
  } catch (error) {
    throw appError('LOGOUT_TOKEN_INVALID', { cause: error });
  }
  throw appError('LOGOUT_TOKEN_INVALID');
}

/** A token with both names means that one session (section 2.4); no older session can outlive its whole life. */
async function endSessions(
  { gateway: { now }, sessions, shared }: FastifyInstance,
  { sid, sub }: LogoutOrder,
): Promise<void> {
  const key = sid === null ? `sub:${sub}` : `sid:${sid}`;
  await shared.state.revokeAll(key, now(), now() + sessions.limits.max);
}
