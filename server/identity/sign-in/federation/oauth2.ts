import { appError } from '../../../http/errors.ts';
import { configuredClient, newVerifier } from '../../../http/openid/client.ts';
import type { Fetch } from '../../../http/outgoing.ts';
import { federatedMethod, type RedirectMethod } from './method.ts';
import { ssoFailure } from './oidc.ts';
import { profileOfClaims } from './profile.ts';
import { clientCredentials } from './secrets.ts';
import type { Oauth2Settings } from './settings-schema.ts';

/** Users of an OAuth 2 server without ID tokens (RFC 6749 section 4.1, RFC 7636); its user info endpoint identifies them. */
export function oauth2Method(
  settings: Oauth2Settings,
  { source, fetch }: { source: string; fetch: Fetch },
): RedirectMethod {
  const { authorization_url, token_url, client_id, scope, fields, userinfo_url } = settings;
  const server = {
    issuer: settings.issuer ?? new URL(token_url).origin,
    authorization_endpoint: authorization_url,
    token_endpoint: token_url,
  };
  const credentials = clientCredentials(settings);
  const client = configuredClient(server, { clientId: client_id, credentials, fetch });
  return {
    ...federatedMethod(settings, source),
    kind: 'redirect',
    async begin({ state, callbackUrl }) {
      const secrets = { verifier: newVerifier() };
      const url = await client.authorizationUrl({ redirectUri: callbackUrl, state, secrets, scope });
      return { url, secrets };
    },
    stateOf: ({ url }) => url.searchParams.get('state') ?? undefined,
    async finish({ url, secrets }) {
      const callback = new URL(url);
      // A server may send its issuer (RFC 9207); it is compared only when an issuer is configured.
      if (settings.issuer === undefined) callback.searchParams.delete('iss');
      try {
        const tokens = await client.redeem(callback, {
          state: url.searchParams.get('state') ?? '',
          secrets: { verifier: secrets.verifier ?? '' },
        });
        const claims = await userInfo(fetch, userinfo_url, tokens.access_token);
        const profile = profileOfClaims(claims, { subject: 'id', user_name: 'login', ...fields });
        if (!profile) throw appError('SSO_REFUSED', { cause: new Error('the provider returned no subject') });
        return profile;
      } catch (error) {
        throw ssoFailure(error);
      }
    },
  };
}

/** Accepts the user info as an object, or as the `data` of an object. */
async function userInfo(fetch: Fetch, url: string, accessToken: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
  const response = await fetch(url, { method: 'GET', headers });
  if (!response.ok)
    throw appError('SSO_REFUSED', { cause: new Error(`user info returned ${response.status}`) });
  const body: unknown = await response.json().catch(() => undefined);
  const inner = isObject(body) && isObject(body.data) ? body.data : body;
  return isObject(inner) ? inner : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
