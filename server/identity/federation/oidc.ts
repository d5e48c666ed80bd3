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
import { BASE_PATH } from '../../../shared/constants.ts';
import { type AppError, appError } from '../../http/errors.ts';
import { clientAuth, loggedFailure, ownFailure } from '../../http/openid.ts';
import type { Fetch } from '../../http/outgoing.ts';
import { CLOCK_SKEW, federatedMethod, type RedirectMethod } from './method.ts';
import { profileOfClaims } from './profile.ts';
import { secretText } from './settings.ts';
import type { OidcSettings } from './settings-schemas.ts';

type Options = { source: string; publicUrl: string; now: () => number; fetch: Fetch };

/** ID tokens are made when we ask for them; some providers date them up to five minutes back. */
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
        });
        const claims = tokens.claims();
        if (!claims) throw refused('no ID token');
        // The library checks when a token ends; when it was made says whether the clocks agree.
        const age = now() - claims.iat * 1000;
        if (age < -CLOCK_SKEW || age > ID_TOKEN_AGE + CLOCK_SKEW)
          throw refused('the ID token is of another time');
        // Providers put into the ID token what they like; the userinfo endpoint has the rest, groups among it.
        const userInfo = configuration.serverMetadata().userinfo_endpoint
          ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : {};
        const profile = profileOfClaims({ ...claims, ...userInfo }, fields);
        if (!profile) throw refused('the provider named nobody');
        return profile;
      } catch (error) {
        throw ssoFailure(error);
      }
    },
  };
}

/** The provider's description, read once at the first sign-in; while it cannot be read, every sign-in tries again. */
function discoverer(settings: OidcSettings, fetch: Fetch): () => Promise<Configuration> {
  const issuer = new URL(settings.issuer);
  const auth = clientAuth(secretText(settings.client_secret));
  const discover = () =>
    discovery(issuer, settings.client_id, { [clockTolerance]: CLOCK_SKEW / 1000 }, auth, {
      [customFetch]: fetch,
      // ID tokens are checked by their signature although they come straight from the provider.
      execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
    });
  let configuration: Promise<Configuration> | undefined;
  return () => {
    configuration ??= discover().catch((error: unknown) => {
      configuration = undefined;
      throw appError('SERVICE_UNAVAILABLE', { cause: error });
    });
    return configuration;
  };
}

/** The client is named by its id: an `id_token_hint` would carry a token through the browser's address. */
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

/** Codes of the library that say that the other side was not there, or not in time. */
const UNREACHABLE: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** Why a sign-in at a provider did not work, as the client may know it: refused, or the provider cannot be asked. */
export function ssoFailure(error: unknown): AppError {
  const own = ownFailure(error);
  if (own) return own;
  const isRefused =
    error instanceof AuthorizationResponseError ||
    error instanceof ResponseBodyError ||
    (error instanceof ClientError && !UNREACHABLE.has(error.code));
  return appError(isRefused ? 'SSO_REFUSED' : 'SERVICE_UNAVAILABLE', { cause: loggedFailure(error) });
}
