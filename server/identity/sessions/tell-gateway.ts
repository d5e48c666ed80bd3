import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { SignJWT } from 'jose';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER, LOGOUT_EVENT } from '../../../shared/user-service.ts';
import type { IdentityContext } from '../context.ts';
import { SIGNING_ALGORITHM } from '../keys/key-ring.ts';

/** Milliseconds that the gateway has to answer. */
const PATIENCE = 3000;

/**
 * Tells the gateway that all sessions of a person have ended (OpenID Connect Back-Channel Logout 1.0 section 2.5). One
 * that cannot be told finds out by itself: it asks after each session every few minutes, and a refresh is refused.
 */
export async function tellGateway(
  { keys, now, backchannelUrl, fetch }: IdentityContext,
  userId: number,
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    const answer = await fetch(backchannelUrl, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: await logoutToken({ keys, now }, userId) }),
      signal: AbortSignal.timeout(PATIENCE),
      redirect: 'error',
    });
    await answer.body?.cancel();
    if (!answer.ok) log.warn({ user_id: userId, status: answer.status }, 'the gateway refused a sign-out');
  } catch (error) {
    log.warn({ err: error, user_id: userId }, 'the gateway could not be told of a sign-out');
  }
}

async function logoutToken({ keys, now }: Pick<IdentityContext, 'keys' | 'now'>, userId: number) {
  const { kid, private_jwk } = await keys.signing();
  return new SignJWT({ events: { [LOGOUT_EVENT]: {} } })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: 'logout+jwt' })
    .setIssuer(ACCESS_TOKEN_ISSUER)
    .setAudience(ACCESS_TOKEN_AUDIENCE)
    .setSubject(String(userId))
    .setJti(randomUUID())
    .setIssuedAt(Math.floor(now() / 1000))
    .setExpirationTime(Math.floor(now() / 1000) + 120)
    .sign(private_jwk);
}
