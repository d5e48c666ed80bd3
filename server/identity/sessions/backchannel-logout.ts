import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { SignJWT } from 'jose';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER, LOGOUT_EVENT } from '../../../shared/user-service.ts';
import type { IdentityContext } from '../context.ts';
import { SIGNING_ALGORITHM } from '../keys/key-ring.ts';

/** Milliseconds that the gateway has to answer. */
export const GATEWAY_TIMEOUT = 3000;

const FORM = 'application/x-www-form-urlencoded;charset=UTF-8';

/**
 * Tells the gateway that sessions of a user have ended, all of them or those of `sids` (OpenID Connect Back-Channel Logout
 * 1.0 section 2.5). A gateway that cannot be told finds out by itself: it asks after each session every few minutes, and a
 * refresh is refused.
 */
export async function sendBackchannelLogout(
  { keys, now, backchannelUrl, fetch }: IdentityContext,
  { userId, sids }: { userId: number; sids?: readonly string[] },
  log: FastifyBaseLogger,
): Promise<void> {
  for (const sid of sids ?? [undefined]) {
    try {
      const logout_token = await logoutToken({ keys, now }, { userId, sid });
      const answer = await fetch(backchannelUrl, {
        method: 'POST',
        headers: { 'content-type': FORM },
        body: new URLSearchParams({ logout_token }),
      });
      if (answer.ok) continue;
      log.warn({ user_id: userId, status: answer.status }, 'gateway rejected back-channel logout');
    } catch (error) {
      log.warn({ err: error, user_id: userId }, 'back-channel logout failed');
    }
    return;
  }
}

/** With a session in it, it means that one alone (section 2.4). */
async function logoutToken(
  { keys, now }: Pick<IdentityContext, 'keys' | 'now'>,
  { userId, sid }: { userId: number; sid: string | undefined },
) {
  const { kid, private_jwk } = await keys.signing();
  return new SignJWT({ events: { [LOGOUT_EVENT]: {} }, ...(sid !== undefined && { sid }) })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: 'logout+jwt' })
    .setIssuer(ACCESS_TOKEN_ISSUER)
    .setAudience(ACCESS_TOKEN_AUDIENCE)
    .setSubject(String(userId))
    .setJti(randomUUID())
    .setIssuedAt(Math.floor(now() / 1000))
    .setExpirationTime(Math.floor(now() / 1000) + 120)
    .sign(private_jwk);
}
