import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { SignJWT } from 'jose';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER, LOGOUT_EVENT } from '../../../shared/user-service.ts';
import type { IdentityContext } from '../context.ts';
import { SIGNING_ALGORITHM } from '../keys/key-ring.ts';

/** Milliseconds that the gateway has to answer. */
export const GATEWAY_TIMEOUT = 3000;

const FORM = 'application/x-www-form-urlencoded;charset=UTF-8';

/** All sessions of a person, or one of them. */
type Ended = { userId: number; sid?: string };

/**
 * Tells the gateway that all sessions of a person have ended (OpenID Connect Back-Channel Logout 1.0 section 2.5). One
 * that cannot be told finds out by itself: it asks after each session every few minutes, and a refresh is refused.
 */
export async function tellGateway(
  identity: IdentityContext,
  userId: number,
  log: FastifyBaseLogger,
): Promise<void> {
  await tell(identity, { userId }, log);
}

/** Tells the gateway that these sessions of a person have ended. One that does not listen is told no more of them. */
export async function tellGatewayOf(
  identity: IdentityContext,
  { userId, sids }: { userId: number; sids: readonly string[] },
  log: FastifyBaseLogger,
): Promise<void> {
  for (const sid of sids) {
    if (!(await tell(identity, { userId, sid }, log))) return;
  }
}

/** Answers whether the gateway has taken it. */
async function tell(
  { keys, now, backchannelUrl, fetch }: IdentityContext,
  ended: Ended,
  log: FastifyBaseLogger,
): Promise<boolean> {
  const user_id = ended.userId;
  try {
    const answer = await fetch(backchannelUrl, {
      method: 'POST',
      headers: { 'content-type': FORM },
      body: new URLSearchParams({ logout_token: await logoutToken({ keys, now }, ended) }),
    });
    if (!answer.ok) log.warn({ user_id, status: answer.status }, 'the gateway refused a sign-out');
    return answer.ok;
  } catch (error) {
    log.warn({ err: error, user_id }, 'the gateway could not be told of a sign-out');
    return false;
  }
}

/** With a session in it, it means that one alone (section 2.4). */
async function logoutToken({ keys, now }: Pick<IdentityContext, 'keys' | 'now'>, { userId, sid }: Ended) {
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
