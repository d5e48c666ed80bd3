import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { createLocalJWKSet, errors, jwtVerify, SignJWT } from 'jose';
import pLimit from 'p-limit';
import {
  ACCESS_TOKEN_AUDIENCE,
  ACCESS_TOKEN_ISSUER,
  ACCESS_TOKEN_TYPE,
  LOGOUT_EVENT,
} from '../../../shared/user-service.ts';
import { SIGNING_ALGORITHM } from '../../encryption/signing-key.ts';
import type { Fetch } from '../../http/outgoing.ts';
import { claimsOf } from '../accounts/account.ts';
import type { User } from '../accounts/store.ts';
import type { BaseContext } from '../base-context.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { ACCESS_TOKEN_LIFETIME } from '../lifetimes.ts';
import type { Session } from './store.ts';

const SESSION_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** What a session uses. */
export type SessionContext = BaseContext & {
  keys: KeyRing;
  /** Address of the gateway's back-channel logout. */
  backchannelUrl: string;
  /** For requests to the gateway. */
  fetch: Fetch;
};

type Context = { keys: KeyRing; now: () => number };

/** Signs an access token, valid for 15 minutes or until the session ends. */
export async function signAccessToken({ keys, now }: Context, user: User, session: Session): Promise<string> {
  const { kid, private_jwk } = await keys.signing();
  const issuedAt = Math.floor(now() / 1000);
  const sessionEnd = Math.floor(session.expires_at.getTime() / 1000);
  return new SignJWT({
    ...claimsOf(user),
    sid: session.sid,
    ...(session.scope_list && { scope: session.scope_list.join(' ') }),
  })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: ACCESS_TOKEN_TYPE })
    .setIssuer(ACCESS_TOKEN_ISSUER)
    .setAudience(ACCESS_TOKEN_AUDIENCE)
    .setSubject(String(user.user_id))
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(Math.min(issuedAt + ACCESS_TOKEN_LIFETIME / 1000, sessionEnd))
    .sign(private_jwk);
}

/** The session id of a valid access token; undefined for anything else. */
export async function sessionIdOf({ keys, now }: Context, token: string): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify<{ sid?: unknown }>(token, createLocalJWKSet(await keys.published()), {
      algorithms: [SIGNING_ALGORITHM],
      issuer: ACCESS_TOKEN_ISSUER,
      audience: ACCESS_TOKEN_AUDIENCE,
      typ: ACCESS_TOKEN_TYPE,
      requiredClaims: ['exp', 'sub', 'sid'],
      currentDate: new Date(now()),
    });
    return typeof payload.sid === 'string' && SESSION_ID.test(payload.sid) ? payload.sid : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** Timeout in milliseconds for the gateway. */
export const GATEWAY_TIMEOUT = 3000;

/** Requests to the gateway at once: a user may have a hundred sessions. */
const LOGOUTS_AT_ONCE = 10;

const FORM = 'application/x-www-form-urlencoded;charset=UTF-8';

/**
 * Notifies the gateway that sessions of a user have ended, all of them or `sids` (OpenID Connect Back-Channel Logout 1.0
 * section 2.5); each by itself, so that one that fails stops no other. An unreachable gateway notices it later: it validates each session every few minutes, and a refresh fails.
 */
export async function sendBackchannelLogout(
  identity: SessionContext,
  { userId, sids }: { userId: number; sids?: readonly string[] },
  log: FastifyBaseLogger,
): Promise<void> {
  const limit = pLimit(LOGOUTS_AT_ONCE);
  await limit.map(sids ?? [undefined], (sid) => sendLogoutToken(identity, { userId, sid }, log));
}

async function sendLogoutToken(
  { keys, now, backchannelUrl, fetch }: SessionContext,
  { userId, sid }: { userId: number; sid: string | undefined },
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    const logout_token = await logoutToken({ keys, now }, { userId, sid });
    const response = await fetch(backchannelUrl, {
      method: 'POST',
      headers: { 'content-type': FORM },
      body: new URLSearchParams({ logout_token }),
    });
    if (response.ok) return;
    log.warn({ user_id: userId, sid, status: response.status }, 'gateway rejected back-channel logout');
  } catch (error) {
    log.warn({ err: error, user_id: userId, sid }, 'back-channel logout failed');
  }
}

/** With a `sid` it applies to this session only (section 2.4). */
async function logoutToken(
  { keys, now }: Pick<SessionContext, 'keys' | 'now'>,
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
