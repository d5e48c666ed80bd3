import { randomUUID } from 'node:crypto';
import { createLocalJWKSet, errors, jwtVerify, SignJWT } from 'jose';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER } from '../../../shared/user-service.ts';
import { type KeyRing, SIGNING_ALGORITHM } from '../keys/key-ring.ts';
import { ACCESS_TOKEN_LIFETIME } from '../lifetimes.ts';
import type { Account } from '../schema.ts';
import type { Session } from './store.ts';

/** Says in the header what kind of token it is, so that no other token we sign passes for one (RFC 9068). */
const TOKEN_TYPE = 'at+jwt';
const SESSION_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

type Context = { keys: KeyRing; now: () => number };

/** Signs an access token: 15 minutes, or until the session ends. */
export async function signAccessToken(
  { keys, now }: Context,
  account: Account,
  session: Session,
): Promise<string> {
  const { kid, private_jwk } = await keys.signing();
  const issuedAt = Math.floor(now() / 1000);
  const sessionEnd = Math.floor(session.expires_at.getTime() / 1000);
  return new SignJWT({
    role: account.role,
    nick_name: account.nick_name,
    avatar_url: account.avatar_url,
    sid: session.sid,
  })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: TOKEN_TYPE })
    .setIssuer(ACCESS_TOKEN_ISSUER)
    .setAudience(ACCESS_TOKEN_AUDIENCE)
    .setSubject(String(account.user_id))
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
      typ: TOKEN_TYPE,
      requiredClaims: ['exp', 'sub', 'sid'],
      currentDate: new Date(now()),
    });
    return typeof payload.sid === 'string' && SESSION_ID.test(payload.sid) ? payload.sid : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
