import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Session, sessionHash } from '../session/session.ts';
import { traceHeaders } from '../upstream.ts';
import type { Redeemed, Returned } from './provider.ts';

/**
 * Begins a session in place of any other of this browser (requirement 6), which is known by its device token from now on.
 * @throws AppError UPSTREAM_INVALID for a session that is too large
 */
export async function beginSession(
  app: FastifyInstance,
  reply: FastifyReply,
  { session, deviceToken }: Redeemed,
): Promise<void> {
  const { knownDevices, sessions } = app;
  const { request } = reply;
  await reply.setSession(session);
  knownDevices.remember(reply, { userId: session.user.user_id, token: deviceToken });
  request.log.info({ event: 'login', session: sessionHash(session) }, 'signed in');
  const former = await sessions.open(request.cookies);
  if (former.kind === 'signed-in') void revokeUpstreamSession(app, await sessions.end(former.session));
}

/**
 * Exchanges an authorization code on the server and begins a session.
 * @throws AppError CODE_INVALID, UPSTREAM_*
 */
export async function exchangeCode(
  app: FastifyInstance,
  reply: FastifyReply,
  returned: Omit<Returned, 'url'>,
): Promise<void> {
  const { request } = reply;
  const url = new URL(request.raw.url ?? '/', app.gateway.publicUrl);
  const redeemed = await app.provider.redeem({ ...returned, url }, signInHeaders(app, request));
  await beginSession(app, reply, redeemed);
}

/**
 * Headers of a call that begins a session: the service that keeps the session may tell users which of theirs it is, and
 * knows the browser by its device tokens.
 */
export function signInHeaders(
  { knownDevices }: FastifyInstance,
  request: FastifyRequest,
): Record<string, string> {
  const agent = request.headers['user-agent'];
  return {
    ...traceHeaders(request),
    ...(agent !== undefined && { 'user-agent': agent }),
    ...knownDevices.headers(request.cookies),
  };
}

/** Ends a session's tokens where nobody waits for it: another session has replaced it, or it is too large to keep. */
export async function revokeUpstreamSession(
  { provider, gateway }: Pick<FastifyInstance, 'provider' | 'gateway'>,
  session: Session,
): Promise<void> {
  try {
    await provider.signOut(session);
  } catch (error) {
    gateway.log.warn({ err: error, session: sessionHash(session) }, 'upstream session revocation failed');
  }
}
