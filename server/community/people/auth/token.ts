import type { FastifyBaseLogger } from 'fastify';
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { Id } from '../../../../shared/entities/base.ts';
import { Role } from '../../../../shared/entities/user.ts';
import { withoutMarkLookalikes } from '../../../../shared/mark-lookalikes.ts';
import { TOOL_SCOPES } from '../../../../shared/tool-metadata.ts';
import {
  ACCESS_TOKEN_AUDIENCE,
  ACCESS_TOKEN_ISSUER,
  ACCESS_TOKEN_TYPE,
  toolAudience,
} from '../../../../shared/user-service.ts';
import { tokenInvalid } from '../../../http/authentication.ts';
import { appError } from '../../../http/errors.ts';
import { createOutgoingFetch } from '../../../http/outgoing.ts';
import { COMMUNITY_TIMEOUTS } from '../../timeouts.ts';
import type { Caller, CallerGroup } from './caller.ts';
import type { EndedToolList, ToolToken } from './ended-tools.ts';

const Claims = Type.Object({
  sub: Type.String({ pattern: '^[1-9][0-9]{0,15}$' }),
  role: Role,
  nick_name: Type.String(),
  avatar_url: Type.String(),
  iat: Type.Optional(Type.Integer()),
  /** Of the session of a page inside a design tool. A user service of another make may have words of its own here. */
  scope: Type.Optional(Type.String()),
  /** Of the enterprise that the session works in; a user service of another make may have others of these names. */
  e_id: Type.Optional(Type.Unknown()),
  department: Type.Optional(Type.Unknown()),
});

/** Claims that only tokens of tools have (RFC 9068 section 2.2). */
const ToolClaims = Type.Object({
  client_id: Type.String(),
  sid: Type.String(),
  iat: Type.Integer(),
  scope: Type.String(),
  /** Thumbprint of the key that the token is bound to (RFC 9449 section 6.1). */
  cnf: Type.Optional(Type.Object({ jkt: Type.String() })),
});

/** Authenticates an access token. */
export type ReadToken = (token: string) => Promise<Caller>;

type TokenReader = {
  readToken: ReadToken;
  /** The public keys as they were last read. */
  jwks: () => JSONWebKeySet;
};

/** A token with a valid signature and valid claims. */
type Verified = { caller: Caller; tool?: ToolToken; expiresAt: number; edition: number };

/** Bytes of cached tokens and callers. */
const CACHE_BYTES = 4 * 1024 * 1024;
const BYTES_OF_CALLER = 500;

/**
 * Verifies access tokens with the public keys of the identity service (RFC 7519, RFC 9068). Results are cached until the
 * token expires or the keys are read again, since clients send the same token with every request. `ended`: tools whose tokens
 * are refused before they expire.
 * @throws TOKEN_INVALID for an altered, expired or foreign token or a missing claim; SERVICE_UNAVAILABLE if the keys
 * cannot be read
 */
export function openTokenReader(
  source: TokenSource,
  now: () => number,
  log: Pick<FastifyBaseLogger, 'warn'>,
  ended?: EndedToolList,
): TokenReader {
  const keys = openPublicKeys(source, now, log);
  /** Concurrent requests of a page share one verification. */
  const cache = new LRUCache<string, Verified>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (_verified, token) => token.length + BYTES_OF_CALLER,
    ignoreFetchAbort: true,
    fetchMethod: verify,
  });

  async function verify(token: string): Promise<Verified> {
    const edition = keys.edition();
    const { toolIssuer } = source;
    const ofTool = toolIssuer !== undefined && issuerOf(token) === toolIssuer ? toolIssuer : undefined;
    const { payload } = await jwtVerify(token, keys.keyOf, {
      ...(ofTool === undefined ? siteProfile(source) : toolProfile(ofTool)),
      algorithms: ['EdDSA'],
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(now()),
    }).catch((cause) => {
      throw isTokenError(cause) ? tokenInvalid(cause) : appError('SERVICE_UNAVAILABLE', { cause });
    });
    const read = ofTool === undefined ? { caller: callerFrom(payload) } : toolFrom(payload);
    return { ...read, expiresAt: (payload.exp ?? 0) * 1000, edition };
  }

  async function readToken(token: string): Promise<Caller> {
    const known = cache.get(token);
    const isCurrent = known && now() < known.expiresAt && keys.edition() === known.edition;
    const { caller, tool } = isCurrent ? known : await cache.forceFetch(token, { forceRefresh: true });
    if (tool && ended?.has(tool))
      throw tokenInvalid(undefined, caller.boundTo === undefined ? 'Bearer' : 'DPoP');
    return caller;
  }
  return { readToken, jwks: keys.jwks };
}

function siteProfile({ typ }: TokenSource): JWTVerifyOptions {
  return { issuer: ACCESS_TOKEN_ISSUER, audience: ACCESS_TOKEN_AUDIENCE, ...(typ !== undefined && { typ }) };
}

/** ID tokens have the same issuer and keys, and another type. */
function toolProfile(issuer: string): JWTVerifyOptions {
  return { issuer, audience: toolAudience(issuer), typ: ACCESS_TOKEN_TYPE };
}

/** The issuer that a token claims; it decides how the token is verified. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

const TOKEN_ERRORS: ReadonlySet<string> = new Set([
  errors.JWTInvalid.code,
  errors.JWTExpired.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWKSNoMatchingKey.code,
]);

function isTokenError(error: unknown): boolean {
  return error instanceof errors.JOSEError && TOKEN_ERRORS.has(error.code);
}

function callerFrom(payload: JWTPayload): Caller {
  if (!Check(Claims, payload)) throw tokenInvalid();
  const claims: Static<typeof Claims> = payload;
  const { role, avatar_url, iat, scope } = claims;
  // A user service of another make may allow them.
  const nick_name = withoutMarkLookalikes(claims.nick_name);
  const issued = iat === undefined ? {} : { issued_at: new Date(iat * 1000) };
  const scopes = TOOL_SCOPES.filter((known) => scope?.split(' ').includes(known));
  const limit = scopes.length === 0 ? {} : { scopes };
  const group = groupFrom(claims);
  return { user_id: Number(claims.sub), role, nick_name, avatar_url, ...issued, ...limit, ...group };
}

/** The group that decides which kits are for the user; a user service that knows none leaves it out. */
function groupFrom({ e_id, department }: Static<typeof Claims>): { group?: CallerGroup } {
  if (!Check(Id, e_id)) return {};
  return { group: { e_id, department: typeof department === 'string' ? department.trim() : '' } };
}

function toolFrom(payload: JWTPayload): { caller: Caller; tool: ToolToken } {
  if (!Check(ToolClaims, payload)) throw tokenInvalid();
  const { scope, cnf, client_id: clientId, sid, iat } = payload;
  const caller = { ...callerFrom(payload), scopes: scope.split(' '), ...(cnf && { boundTo: cnf.jkt }) };
  return { caller, tool: { sid, clientId, issuedAt: iat * 1000 } };
}

/** Milliseconds between two reads of the keys, and until a failed read is repeated. */
const KEY_INTERVAL = 10 * 60_000;
const RETRY_INTERVAL = 10_000;

/** Address of the keys; `ca`: PEM of a private certificate authority; `timeout` in milliseconds. */
type KeySource = { url: string; ca?: string | undefined; timeout?: number };

/** `typ`: the type that a token must have; without it any. `toolIssuer`: of the tokens of tools, if they are accepted. */
type TokenSource = KeySource & { typ?: string | undefined; toolIssuer?: string | undefined };

type PublicKeys = {
  keyOf: JWTVerifyGetKey;
  jwks(): JSONWebKeySet;
  /** Changes each time the keys are read again, since one may have been withdrawn. */
  edition(): number;
};

/**
 * Opens the public keys of identity. They are read with the first token, with an unknown key, and every ten minutes in the
 * background, so that a slow or unavailable identity service does not affect known keys.
 */
function openPublicKeys(
  { url, ca, timeout = COMMUNITY_TIMEOUTS.keys }: KeySource,
  now: () => number,
  log: Pick<FastifyBaseLogger, 'warn'>,
): PublicKeys {
  const keys = createRemoteJWKSet(new URL(url), {
    [customFetch]: createOutgoingFetch({ ca, timeout }),
    timeoutDuration: timeout,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  let nextRead = now() + KEY_INTERVAL;
  let edition = 0;
  let hasFailed = false;

  async function refresh(): Promise<void> {
    nextRead = now() + RETRY_INTERVAL;
    try {
      await keys.reload();
      nextRead = now() + KEY_INTERVAL;
      edition += 1;
      hasFailed = false;
    } catch (error) {
      if (!hasFailed)
        log.warn(
          { err: error },
          'the keys of the sign-in service could not be refreshed; the known ones stay valid',
        );
      hasFailed = true;
    }
  }
  const refreshIfDue = (): void => {
    const at = now();
    // A clock that was set back must not delay it.
    if (at >= nextRead || at < nextRead - KEY_INTERVAL) void refresh();
  };
  return {
    keyOf: (header, token) => {
      refreshIfDue();
      return keys(header, token);
    },
    jwks: () => keys.jwks() ?? { keys: [] },
    edition: () => {
      refreshIfDue();
      return edition;
    },
  };
}
