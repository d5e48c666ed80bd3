import { BASE_PATH } from '../../../../shared/constants.ts';
import { CLOCK_TOLERANCE } from '../../../../shared/user-service.ts';
import { type AppError, appError } from '../../../http/errors.ts';
import { discoveredClient, newNonce, newVerifier, type OpenIdClient } from '../../../http/openid/client.ts';
import { isRefused, loggedFailure, ownFailure } from '../../../http/openid/failures.ts';
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
  const credentials = clientCredentials(settings);
  const client = discoveredClient(
    settings.issuer,
    { clientId: settings.client_id, credentials, fetch },
    (cause) => appError('SERVICE_UNAVAILABLE', { cause }),
  );
  const federated = federatedMethod(settings, source);
  return {
    ...federated,
    kind: 'redirect',
    logout: provider_logout ? () => providerLogout(client, publicUrl) : federated.logout,
    async begin({ state, callbackUrl }) {
      const secrets = { verifier: newVerifier(), nonce: newNonce() };
      const url = await client.authorizationUrl({ redirectUri: callbackUrl, state, secrets, scope });
      return { url, secrets };
    },
    stateOf: ({ url }) => url.searchParams.get('state') ?? undefined,
    async finish({ url, secrets }) {
      try {
        const tokens = await client.redeem(url, {
          state: url.searchParams.get('state') ?? '',
          secrets: { verifier: secrets.verifier ?? '', nonce: secrets.nonce ?? '' },
        });
        const claims = tokens.claims();
        if (!claims) throw refused('no ID token');
        // The library checks `exp` only; `iat` shows whether the clocks agree.
        const age = now() - claims.iat * 1000;
        if (age < -CLOCK_TOLERANCE || age > ID_TOKEN_AGE + CLOCK_TOLERANCE)
          throw refused('iat of the ID token is out of range');
        // ID tokens often lack claims such as groups; the userinfo endpoint has them.
        const userInfo = await client.userinfo(tokens.access_token, claims.sub);
        const profile = profileOfClaims({ ...claims, ...userInfo }, fields);
        if (!profile) throw refused('the provider returned no subject');
        return profile;
      } catch (error) {
        throw ssoFailure(error);
      }
    },
  };
}

async function providerLogout(client: OpenIdClient, publicUrl: string) {
  const url = await client.logoutUrl(`${publicUrl}${BASE_PATH}`);
  return url === undefined
    ? { logout_mode: 0 as const, logout_url: '' }
    : { logout_mode: 1 as const, logout_url: url };
}

function refused(why: string): AppError {
  return appError('SSO_REFUSED', { cause: new Error(why) });
}

/** The error for the client: the provider refused the sign-in, or is unavailable. */
export function ssoFailure(error: unknown): AppError {
  const code = isRefused(error) ? 'SSO_REFUSED' : 'SERVICE_UNAVAILABLE';
  return ownFailure(error) ?? appError(code, { cause: loggedFailure(error) });
}
