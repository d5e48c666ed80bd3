import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientError,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client';
import { BASE_PATH } from '../../../../shared/constants.ts';
import { CLOCK_TOLERANCE } from '../../../../shared/user-service.ts';
import { type AppError, appError } from '../../../http/errors.ts';
import { clientAuth, clientRefusal, loggedFailure, ownFailure } from '../../../http/openid.ts';
import type { Fetch } from '../../../http/outgoing.ts';
import { federatedMethod, type RedirectMethod } from './method.ts';
import { profileOfClaims } from './profile.ts';
import { clientCredentials } from './secrets.ts';
import type { OidcSettings } from './settings-schema.ts';

type Options = { source: string; publicUrl: string; now: () => number; fetch: Fetch };

/** ID tokens are issued on request; some providers set `iat` up to five minutes back. */
const ID_TOKEN_AGE = 5 * 60 * 1000;

/** Users of an OpenID Connect provider: authorization code with PKCE, state and nonce (OpenID Connect Core 1.0). */
export function oidcMethod(
  settings: OidcSettings,
  { source, publicUrl, now, fetch }: Options,
): RedirectMethod {
  const { scope = 'openid profile email', fields, provider_logout } = settings;
  const configured = discoverer(settings, fetch);
  const federated = federatedMethod(settings, source);
  return {
    ...federated,
    kind: 'redirect',
    logout: provider_logout ? async () => providerLogout(await configured(), publicUrl) : federated.logout,
    async begin({ state, callbackUrl }) {
      const verifier = randomPKCECodeVerifier();
      const nonce = randomNonce();
      const url = buildAuthorizationUrl(await configured(), {
        redirect_uri: callbackUrl,
        scope,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      return { url: url.href, secrets: { verifier, nonce } };
    },
    stateOf: ({ url }) => url.searchParams.get('state') ?? undefined,
    async finish({ url, secrets }) {
      const configuration = await configured();
      try {
        const tokens = await authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: secrets.verifier ?? '',
          expectedNonce: secrets.nonce ?? '',
          expectedState: url.searchParams.get('state') ?? '',
          idTokenExpected: true,
        }).catch((error: unknown) => {
          throw clientRefusal(error, configuration.serverMetadata().token_endpoint) ?? error;
        });
        const claims = tokens.claims();
        if (!claims) throw refused('no ID token');
        // The library checks `exp` only; `iat` shows whether the clocks agree.
        const age = now() - claims.iat * 1000;
        if (age < -CLOCK_TOLERANCE || age > ID_TOKEN_AGE + CLOCK_TOLERANCE)
          throw refused('iat of the ID token is out of range');
        // ID tokens often lack claims such as groups; the userinfo endpoint has them.
        const userInfo = configuration.serverMetadata().userinfo_endpoint
          ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : {};
        const profile = profileOfClaims({ ...claims, ...userInfo }, fields);
        if (!profile) throw refused('the provider returned no subject');
        return profile;
      } catch (error) {
        throw ssoFailure(error);
      }
    },
  };
}

/**
 * The provider's metadata, kept from the first sign-in that gets it. Sign-ins do not wait for each other's request:
 * one that began later would fail with the timeout of the first.
 */
function discoverer(settings: OidcSettings, fetch: Fetch): () => Promise<Configuration> {
  const issuer = new URL(settings.issuer);
  const auth = clientAuth(clientCredentials(settings));
  const discover = () =>
    discovery(issuer, settings.client_id, { [clockTolerance]: CLOCK_TOLERANCE / 1000 }, auth, {
      [customFetch]: fetch,
      // Checks signatures of ID tokens, although they come directly from the provider.
      execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
    });
  let configuration: Configuration | undefined;
  return async () => {
    configuration ??= await discover().catch((error: unknown) => {
      throw appError('SERVICE_UNAVAILABLE', { cause: error });
    });
    return configuration;
  };
}

/** Identifies the client by its id, because an `id_token_hint` would put a token into the browser's address. */
function providerLogout(configuration: Configuration, publicUrl: string) {
  if (configuration.serverMetadata().end_session_endpoint === undefined) {
    return { logout_mode: 0 as const, logout_url: '' };
  }
  const url = buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${publicUrl}${BASE_PATH}` });
  return { logout_mode: 1 as const, logout_url: url.href };
}

function refused(why: string): AppError {
  return appError('SSO_REFUSED', { cause: new Error(why) });
}

/** Error codes of the library for an unreachable or slow provider. */
const UNREACHABLE: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** The error for the client: the provider refused the sign-in, or is unavailable. */
export function ssoFailure(error: unknown): AppError {
  const own = ownFailure(error);
  if (own) return own;
  const isRefused =
    error instanceof AuthorizationResponseError ||
    error instanceof ResponseBodyError ||
    (error instanceof ClientError && !UNREACHABLE.has(error.code));
  return appError(isRefused ? 'SSO_REFUSED' : 'SERVICE_UNAVAILABLE', { cause: loggedFailure(error) });
}
