import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  refreshTokenGrant,
  type ServerMetadata,
  tokenRevocation,
} from 'openid-client';
import { CLOCK_TOLERANCE } from '../../../shared/user-service.ts';
import type { ClientCredentials } from '../client-credentials.ts';
import { appError } from '../errors.ts';
import type { Fetch } from '../outgoing.ts';
import { clientAuth } from './client-auth.ts';
import { clientRefusal } from './failures.ts';

/** Our registration at a server, and how it is called. */
export type Registration = {
  clientId: string;
  credentials: ClientCredentials;
  fetch: Fetch;
  /** Milliseconds for one call; by default those of the library, beside the limits of `fetch`. */
  timeout?: number;
};

/** What an authorization request asks for. */
type AuthorizationRequest = {
  redirectUri: string;
  state: string;
  secrets: Secrets;
  scope?: string | undefined;
  prompt?: 'login' | 'create' | undefined;
};

/** Secrets of one sign-in, kept until its callback: the PKCE verifier, and for OpenID Connect the nonce of the ID token. */
type Secrets = { verifier: string; nonce?: string };

type Tokens = Awaited<ReturnType<typeof authorizationCodeGrant>>;

/**
 * A client of an authorization server. Its calls throw an AppError of the registration's `fetch` or of a refused client
 * (`clientRefusal`), and otherwise the library's errors, which `failures.ts` tells apart.
 */
export type OpenIdClient = {
  server(): Promise<Readonly<ServerMetadata>>;
  /** The URL of an authorization request with PKCE (RFC 7636). */
  authorizationUrl(request: AuthorizationRequest): Promise<string>;
  /**
   * Exchanges the code of a callback. State and issuer are checked (RFC 9207); with a nonce, an ID token is required, and its
   * signature, nonce, audience and times are checked (OpenID Connect Core 1.0 section 3.1.3.7), except `iat`.
   */
  redeem(callback: URL, sent: { state: string; secrets: Secrets }): Promise<Tokens>;
  refresh(refreshToken: string): Promise<Tokens>;
  /** Revokes a refresh token (RFC 7009). */
  revoke(refreshToken: string): Promise<void>;
  /** Claims of the userinfo endpoint; undefined if there is none. */
  userinfo(accessToken: string, subject: string): Promise<Record<string, unknown> | undefined>;
  /**
   * The logout URL (OpenID Connect RP-Initiated Logout 1.0); undefined if there is none. The client is identified by its id,
   * because an `id_token_hint` would put a token into the browser's URL.
   */
  logoutUrl(returnTo: string): Promise<string | undefined>;
};

export function newVerifier(): string {
  return randomPKCECodeVerifier();
}

export function newNonce(): string {
  return randomNonce();
}

/**
 * A client of an OpenID provider, which is discovered by the first call and kept (OpenID Connect Discovery 1.0). Calls do not
 * wait for each other's discovery: one that began later would fail with the timeout of the first.
 * @param failed makes the error of a call whose discovery failed
 */
export function discoveredClient(
  issuer: string,
  registration: Registration,
  failed: (error: unknown) => Error,
): OpenIdClient {
  const { clientId, credentials, fetch, timeout } = registration;
  const url = new URL(issuer);
  const auth = clientAuth(credentials);
  let known: Configuration | undefined;
  async function discover(): Promise<Configuration> {
    const found = await discovery(url, clientId, { [clockTolerance]: CLOCK_TOLERANCE / 1000 }, auth, {
      [customFetch]: fetch,
      ...(timeout !== undefined && { timeout: timeout / 1000 }),
      // Signatures of ID tokens are verified although they come directly from the provider.
      execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
    });
    if (found.serverMetadata().jwks_uri === undefined)
      throw appError('UPSTREAM_INVALID', { cause: new Error('provider without keys') });
    return found;
  }
  return clientOf(async () => {
    known ??= await discover().catch((error: unknown) => {
      throw failed(error);
    });
    return known;
  });
}

/** A client of a server that has no discovery. */
export function configuredClient(server: ServerMetadata, registration: Registration): OpenIdClient {
  const { clientId, credentials, fetch } = registration;
  const configuration = new Configuration(server, clientId, {}, clientAuth(credentials));
  configuration[customFetch] = fetch;
  if (server.token_endpoint?.startsWith('http:')) allowInsecureRequests(configuration);
  return clientOf(async () => configuration);
}

function clientOf(configured: () => Promise<Configuration>): OpenIdClient {
  const server = async () => (await configured()).serverMetadata();
  return {
    server,
    async authorizationUrl({ redirectUri, state, secrets, scope, prompt }) {
      return buildAuthorizationUrl(await configured(), {
        redirect_uri: redirectUri,
        ...(scope !== undefined && { scope }),
        code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
        state,
        ...(secrets.nonce !== undefined && { nonce: secrets.nonce }),
        ...(prompt !== undefined && { prompt }),
      }).href;
    },
    async redeem(callback, { state, secrets }) {
      const configuration = await configured();
      return authorizationCodeGrant(configuration, callback, {
        pkceCodeVerifier: secrets.verifier,
        expectedState: state,
        ...(secrets.nonce !== undefined && { expectedNonce: secrets.nonce, idTokenExpected: true }),
      }).catch(refusedAt(configuration.serverMetadata().token_endpoint));
    },
    async refresh(refreshToken) {
      const configuration = await configured();
      return refreshTokenGrant(configuration, refreshToken).catch(
        refusedAt(configuration.serverMetadata().token_endpoint),
      );
    },
    async revoke(refreshToken) {
      const configuration = await configured();
      await tokenRevocation(configuration, refreshToken).catch(
        refusedAt(configuration.serverMetadata().revocation_endpoint),
      );
    },
    async userinfo(accessToken, subject) {
      const configuration = await configured();
      if (configuration.serverMetadata().userinfo_endpoint === undefined) return undefined;
      return fetchUserInfo(configuration, accessToken, subject);
    },
    async logoutUrl(returnTo) {
      const configuration = await configured();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
    },
  };
}

function refusedAt(endpoint: string | undefined): (error: unknown) => never {
  return (error) => {
    throw clientRefusal(error, endpoint) ?? error;
  };
}
