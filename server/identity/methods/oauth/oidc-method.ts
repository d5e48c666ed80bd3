import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client';
import { BASE_PATH } from '../../../../shared/constants.ts';
import { appError } from '../../../http/errors.ts';
import type { Fetch } from '../../../http/fetch.ts';
import { clientAuth } from '../../../http/openid/client-auth.ts';
import { CLOCK_SKEW } from '../clock-skew.ts';
import { offerOf } from '../directory.ts';
import type { RedirectMethod } from '../method.ts';
import type { OidcSettings } from '../settings/oidc.ts';
import { secretText } from '../settings/read-settings.ts';
import { personOfClaims } from './claims.ts';
import { ssoFailure } from './failure.ts';

type Means = { source: string; publicUrl: string; now: () => number; fetch: Fetch };

/** ID tokens are made when we ask for them; some providers date them up to five minutes back. */
const ID_TOKEN_AGE = 5 * 60 * 1000;

/** People of an OpenID Connect provider: authorization code with PKCE, state and nonce (OpenID Connect Core 1.0). */
export function oidcMethod(settings: OidcSettings, means: Means): RedirectMethod {
  const { scope = 'openid profile email', fields, provider_logout } = settings;
  const configured = discoverer(settings, means.fetch);
  const offer = offerOf(settings, means.source);
  return {
    ...offer,
    kind: 'redirect',
    logout: provider_logout ? async () => providerLogout(await configured(), means.publicUrl) : offer.logout,
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
        if (claims && !isOfNow(claims, means.now())) throw refused('the ID token is of another time');
        const person =
          claims && personOfClaims(await allClaims(configuration, tokens.access_token, claims), fields);
        if (!person) throw refused('the provider named nobody');
        return person;
      } catch (error) {
        throw ssoFailure(error);
      }
    },
  };
}

/** The provider's description, read at the first sign-in and kept; while it cannot be read, every sign-in tries again. */
function discoverer(settings: OidcSettings, fetch: Fetch): () => Promise<Configuration> {
  let known: Promise<Configuration> | undefined;
  const secret = secretText(settings.client_secret);
  return () => {
    known ??= discover(settings, secret, fetch).catch((error: unknown) => {
      known = undefined;
      throw appError('SERVICE_UNAVAILABLE', { cause: error });
    });
    return known;
  };
}

function discover(settings: OidcSettings, secret: string, fetch: Fetch): Promise<Configuration> {
  const issuer = new URL(settings.issuer);
  const client = { [clockTolerance]: CLOCK_SKEW / 1000 };
  return discovery(issuer, settings.client_id, client, clientAuth(secret), {
    [customFetch]: fetch,
    /** ID tokens are checked by their signature although they come straight from the provider. */
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
  });
}

/** The library checks when a token ends; when it was made says whether the clocks agree. */
function isOfNow({ iat }: { iat: number }, now: number): boolean {
  const age = now - iat * 1000;
  return age >= -CLOCK_SKEW && age <= ID_TOKEN_AGE + CLOCK_SKEW;
}

function refused(why: string) {
  return appError('SSO_REFUSED', { cause: new Error(why) });
}

/** Providers put into the ID token what they like; the userinfo endpoint has the rest, groups among it. */
async function allClaims(
  configuration: Configuration,
  accessToken: string,
  claims: { sub: string } & Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...claims, ...(await fetchUserInfo(configuration, accessToken, claims.sub)) };
}

/** The client is named by its id: an `id_token_hint` would carry a token through the browser's address. */
function providerLogout(configuration: Configuration, publicUrl: string) {
  if (configuration.serverMetadata().end_session_endpoint === undefined) {
    return { logout_mode: 0 as const, logout_url: '' };
  }
  const url = buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${publicUrl}${BASE_PATH}` });
  return { logout_mode: 1 as const, logout_url: url.href };
}
