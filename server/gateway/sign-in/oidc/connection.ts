import type { FastifyBaseLogger } from 'fastify';
import { createRemoteJWKSet, customFetch as fetchOfKeys, type JWTVerifyGetKey } from 'jose';
import {
  allowInsecureRequests,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { USER_SERVICE_TIMEOUT } from '../../../../shared/constants.ts';
import { type AppError, appError } from '../../../http/errors.ts';
import type { Fetch } from '../../../http/fetch.ts';
import { clientAuth } from '../../../http/openid/client-auth.ts';
import { loggedFailure, ownFailure } from '../../../http/openid/failure.ts';

/** How the gateway is known to its provider (design section 9). */
export type OidcSettings = { issuer: string; clientId: string; clientSecret: string; scope: string };

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A provider as its own description tells, and the keys it signs with. */
export type Connection = { configuration: Configuration; keys: JWTVerifyGetKey };

/**
 * The provider's description (OpenID Connect Discovery 1.0), read at the start and, while it cannot be read, at every
 * sign-in again; read once, it is kept.
 */
export function createConnection(
  settings: OidcSettings,
  fetch: Fetch,
  log: FastifyBaseLogger,
): () => Promise<Connection> {
  let known: Promise<Connection> | undefined;

  async function connectOnce(): Promise<Connection> {
    try {
      return await connect(settings, fetch);
    } catch (error) {
      known = undefined;
      const failure = providerFailure(error);
      log.warn(
        { err: failure.cause ?? failure, issuer: settings.issuer },
        'OpenID provider discovery failed',
      );
      throw failure;
    }
  }
  const connection = (): Promise<Connection> => {
    known ??= connectOnce();
    return known;
  };
  const { protocol, hostname } = new URL(settings.issuer);
  if (protocol === 'http:' && !LOOPBACK.has(hostname)) {
    log.warn({ issuer: settings.issuer }, 'the OpenID provider is spoken to without TLS');
  }
  connection().catch(() => undefined);
  return connection;
}

async function connect(settings: OidcSettings, fetch: Fetch): Promise<Connection> {
  const issuer = new URL(settings.issuer);
  const isPlain = issuer.protocol === 'http:';
  const configuration = await discovery(issuer, settings.clientId, {}, clientAuth(settings.clientSecret), {
    [customFetch]: fetch,
    timeout: USER_SERVICE_TIMEOUT / 1000,
    /** ID tokens are checked by their signature although they come straight from the provider. */
    execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
  });
  const { jwks_uri } = configuration.serverMetadata();
  if (jwks_uri === undefined)
    throw appError('UPSTREAM_INVALID', { cause: new Error('provider without keys') });
  return { configuration, keys: createRemoteJWKSet(new URL(jwks_uri), { [fetchOfKeys]: fetch }) };
}

/** Whether the provider has refused a grant: a code or refresh token that it does not take (RFC 6749 section 5.2). */
export function isRefusedGrant(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.error === 'invalid_grant';
}

/** Whether a resource of the provider has refused an access token (RFC 6750 section 3). */
export function isRefusedToken(error: unknown): boolean {
  return error instanceof WWWAuthenticateChallengeError && error.status === 401;
}

/** A failed call to the provider as the client may know it. */
export function providerFailure(error: unknown): AppError {
  return ownFailure(error) ?? appError('UPSTREAM_INVALID', { cause: loggedFailure(error) });
}
