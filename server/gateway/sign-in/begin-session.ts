import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Session, sessionHash, signedInSession } from '../session/session.ts';
import { traceHeaders } from '../upstream.ts';
import type { Callback, SignedIn } from './provider.ts';

/**
 * Replaces this browser's session (R 9.6), or that of its pages inside a design tool. @throws AppError UPSTREAM_INVALID if it is too large
 */
export async function beginSession(
  app: FastifyInstance,
  reply: FastifyReply,
  { session: signedIn, deviceToken }: SignedIn,
  { inTool = false } = {},
): Promise<void> {
  const { knownDevices, sessions } = app;
  const { request } = reply;
  const session: Session = inTool ? { ...signedIn, in_tool: true } : signedIn;
  const replaced = inTool ? sessions.read(request.cookies, 'tool') : request.sessionState;
  await reply.setSession(session);
  knownDevices.store(reply, { userId: session.user.user_id, token: deviceToken });
  request.log.info({ event: 'login', session: sessionHash(session) }, 'signed in');
  const former = replaced && signedInSession(await sessions.check(replaced, request.cookies));
  if (former) void revokeUpstreamSession(app, await sessions.end(former));
}

/** Exchanges an authorization code and starts a session. @throws AppError CODE_INVALID, UPSTREAM_* */
export async function exchangeCode(
  app: FastifyInstance,
  reply: FastifyReply,
  callback: Omit<Callback, 'url'>,
): Promise<void> {
  const { request } = reply;
  const url = new URL(request.raw.url ?? '/', app.gateway.publicUrl);
  await beginSession(
    app,
    reply,
    await app.provider.redeem({ ...callback, url }, signInHeaders(app, request)),
    { inTool: callback.transaction?.in_tool === true },
  );
}

/** Headers of a sign-in call: the user agent for the user's list of sessions, and the device tokens of the browser. */
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

/** Revokes the tokens of a replaced or too large session. A failure is only logged, because no request waits for it. */
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
