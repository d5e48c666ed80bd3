import { importJWK } from 'jose';
import {
  AuthorizationResponseError,
  type ClientAuth,
  ClientError,
  ClientSecretPost,
  PrivateKeyJwt,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { ClientAuthMethod, ClientCredentials } from './client-credentials.ts';
import { type AppError, appError, isAppError } from './errors.ts';

/**
 * Authenticates with the method of the settings. By default: a key without a secret by `private_key_jwt`; a secret by HTTP
 * Basic unless the server supports only the form (OpenID Connect Discovery 1.0 section 3). Servers disagree about Basic
 * credentials that need encoding (RFC 6749 section 2.3.1), so those are sent in the form where it is supported.
 */
export function clientAuth(credentials: ClientCredentials): ClientAuth {
  const secret = credentials.secret ?? '';
  const auths: Readonly<Record<ClientAuthMethod, ClientAuth>> = {
    client_secret_basic: basicAuth(secret),
    client_secret_post: (...call) => ClientSecretPost(secret)(...call),
    private_key_jwt: keyAuth(credentials),
  };
  return (server, client, ...rest) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isPlain = [client.client_id, secret].every((text) => formEncoded(text) === text);
    const usesForm =
      supported.includes('client_secret_post') && !(isPlain && supported.includes('client_secret_basic'));
    const bySecret = usesForm ? 'client_secret_post' : 'client_secret_basic';
    const fitting = credentials.secret === undefined ? 'private_key_jwt' : bySecret;
    return auths[credentials.method ?? fitting](server, client, ...rest);
  };
}

/**
 * HTTP Basic. The library's also encodes `-`, `.`, `_` and `*`, which `application/x-www-form-urlencoded` leaves as they are:
 * a server that decodes reads the same, and one that does not is only then right.
 */
function basicAuth(secret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    const credentials = btoa(`${formEncoded(client_id)}:${formEncoded(secret)}`);
    headers.set('authorization', `Basic ${credentials}`);
  };
}

const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

/** Algorithms by key type; that of an EC key follows from its curve. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  RSA: 'RS256',
  OKP: 'EdDSA',
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
};

function keyAuth({ key, keyId }: ClientCredentials): ClientAuth {
  let auth: Promise<ClientAuth> | undefined;
  async function open(): Promise<ClientAuth> {
    if (!key) throw new Error('private_key_jwt without a key');
    const jwk = key.export({ format: 'jwk' });
    const algorithm = ALGORITHMS[jwk.kty ?? ''] ?? ALGORITHMS[jwk.crv ?? ''];
    const imported = await importJWK({ ...jwk }, algorithm);
    if (imported instanceof Uint8Array) throw new Error('not a private key');
    return PrivateKeyJwt(keyId === undefined ? imported : { key: imported, kid: keyId });
  }
  return async (...call) => {
    auth ??= open();
    await (await auth)(...call);
  };
}

/** Error codes of a token endpoint that refuses the client, not the grant (RFC 6749 section 5.2). */
const CLIENT_ERRORS: Readonly<Record<string, string>> = {
  invalid_client: 'wrong client credentials',
  unauthorized_client: 'the client may not use this grant',
};

/**
 * The error of a call to the token or revocation endpoint that refused our client, for which users can do nothing. Its cause
 * tells the operator the endpoint and what it asks for.
 */
export function clientRefusal(error: unknown, endpoint: string | undefined): AppError | undefined {
  if (!(error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError))
    return undefined;
  const code = error instanceof ResponseBodyError ? error.error : 'invalid_client';
  const why = CLIENT_ERRORS[code];
  if (why === undefined) return undefined;
  const challenge = error.response.headers.get('www-authenticate');
  const asked = challenge === null ? '' : `, challenge ${challenge.replaceAll(/[^ -~]/g, '').slice(0, 200)}`;
  const cause = new Error(
    `${why}: ${endpoint ?? 'the token endpoint'} answered ${error.status} ${code}${asked}`,
  );
  return appError('SIGN_IN_MISCONFIGURED', { cause });
}

/** The error of our own `fetch` inside an error of the library. */
export function ownFailure(error: unknown): AppError | undefined {
  return causes(error).find(isAppError);
}

/** A failed provider call for the log: only error codes, because the library's messages may contain the response. */
export function loggedFailure(error: unknown): Error {
  return new Error(`provider: ${describe(error)}`);
}

function causes(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [error];
}

function describe(error: unknown): string {
  if (error instanceof ResponseBodyError) return `${error.status} ${errorCode(error.error)}`;
  if (error instanceof AuthorizationResponseError) return errorCode(error.error);
  if (error instanceof ClientError) return `${error.code ?? ''} ${error.message}`.trim();
  if (!(error instanceof Error)) return 'unknown failure';
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name;
}

const errorCode = (text: string): string => /^[a-z_]{1,64}$/.exec(text)?.[0] ?? 'invalid error code';
