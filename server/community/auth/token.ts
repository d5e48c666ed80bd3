import type { FastifyBaseLogger } from 'fastify';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { CONNECT_TIMEOUT } from '../../../shared/constants.ts';
import { Role } from '../../../shared/entities/user.ts';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { createOutgoingFetch } from '../../http/outgoing.ts';
import type { Caller } from './caller.ts';

const Claims = Type.Object({
  sub: Type.String({ pattern: '^[1-9][0-9]{0,15}$' }),
  role: Role,
  nick_name: Type.String(),
  avatar_url: Type.String(),
  iat: Type.Optional(Type.Integer()),
});

/** Turns an access token into its caller. */
export type ReadToken = (token: string) => Promise<Caller>;

/** A token whose signature and claims have been found good. */
type Verified = { caller: Caller; expiresAt: number; edition: number };

/** Bytes of tokens and callers that are remembered. */
const REMEMBERED_BYTES = 4 * 1024 * 1024;
const BYTES_OF_CALLER = 500;

/**
 * Verifies access tokens by the keys the identity service publishes (RFC 7519, RFC 9068). One that was found good is
 * good until it expires, or until the keys have been read again: somebody who works sends the same one with every call.
 * @throws TOKEN_INVALID for a token that is altered, expired, foreign or misses a claim; SERVICE_UNAVAILABLE when
 * the keys cannot be had, which says nothing about the token.
 */
export function openTokenReader(
  keysAt: KeysAt,
  now: () => number,
  log: Pick<FastifyBaseLogger, 'warn'>,
): ReadToken {
  const keys = openPublicKeys(keysAt, now, log);
  /** A page sends several calls at once: they share one verification. */
  const cache = new LRUCache<string, Verified>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: (_verified, token) => token.length + BYTES_OF_CALLER,
    ignoreFetchAbort: true,
    fetchMethod: verify,
  });

  async function verify(token: string): Promise<Verified> {
    const edition = keys.edition();
    const { payload } = await jwtVerify(token, keys.keyOf, {
      issuer: ACCESS_TOKEN_ISSUER,
      audience: ACCESS_TOKEN_AUDIENCE,
      algorithms: ['EdDSA'],
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(now()),
    }).catch((cause) => {
      throw isTokenFault(cause) ? tokenInvalid(cause) : appError('SERVICE_UNAVAILABLE', { cause });
    });
    return { caller: callerFrom(payload), expiresAt: (payload.exp ?? 0) * 1000, edition };
  }

  return async (token) => {
    const known = cache.get(token);
    if (known && now() < known.expiresAt && keys.edition() === known.edition) return known.caller;
    return (await cache.forceFetch(token, { forceRefresh: true })).caller;
  };
}

/** 401 with the challenge of RFC 6750 section 3.1. */
export function tokenInvalid(cause?: unknown) {
  return appError('TOKEN_INVALID', {
    cause,
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });
}

const TOKEN_FAULTS: ReadonlySet<string> = new Set([
  errors.JWTInvalid.code,
  errors.JWTExpired.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWKSNoMatchingKey.code,
]);

function isTokenFault(error: unknown): boolean {
  return error instanceof errors.JOSEError && TOKEN_FAULTS.has(error.code);
}

function callerFrom(payload: JWTPayload): Caller {
  if (!Check(Claims, payload)) throw tokenInvalid();
  const claims: Static<typeof Claims> = payload;
  const { role, nick_name, avatar_url, iat } = claims;
  const issued = iat === undefined ? {} : { issued_at: new Date(iat * 1000) };
  return { user_id: Number(claims.sub), role, nick_name, avatar_url, ...issued };
}

/** Milliseconds for which keys are used unread, and after which they are tried again that could not be read. */
const FRESH = 10 * 60_000;
const TRY_AGAIN_AFTER = 10_000;

/** Where identity publishes its keys; `ca` in PEM: a private authority that vouches for it. */
type KeysAt = { url: string; ca?: string | undefined };

type PublicKeys = {
  keyOf: JWTVerifyGetKey;
  /** Another number each time the keys have been read again: one of them may have been withdrawn. */
  edition(): number;
};

/**
 * The keys that identity publishes. They are read with the first token, with one whose key is not known, and every ten
 * minutes behind the back of who calls: an identity that is away or slow says nothing about tokens it has signed.
 */
function openPublicKeys(
  { url, ca }: KeysAt,
  now: () => number,
  log: Pick<FastifyBaseLogger, 'warn'>,
): PublicKeys {
  const keys = createRemoteJWKSet(new URL(url), {
    [customFetch]: createOutgoingFetch({ ca, timeout: CONNECT_TIMEOUT }),
    timeoutDuration: CONNECT_TIMEOUT,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  let readNext = now() + FRESH;
  let edition = 0;
  let isOld = false;

  async function refreshState(): Promise<void> {
    readNext = now() + TRY_AGAIN_AFTER;
    try {
      await keys.reload();
      readNext = now() + FRESH;
      edition += 1;
      isOld = false;
    } catch (error) {
      if (!isOld)
        log.warn(
          { err: error },
          'the keys of the sign-in service could not be refreshed; the known ones stay valid',
        );
      isOld = true;
    }
  }
  const readInTime = (): void => {
    const at = now();
    // A clock that was set back must not put it off.
    if (at >= readNext || at < readNext - FRESH) void refreshState();
  };
  return {
    keyOf: (header, token) => {
      readInTime();
      return keys(header, token);
    },
    edition: () => {
      readInTime();
      return edition;
    },
  };
}
