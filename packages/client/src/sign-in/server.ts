import { clientError } from '../errors.ts';
import { failureOf, jsonOf, pathOn, type Site, sendBriefly } from '../site.ts';

/** The site's authorization server: paths of its endpoints (RFC 8414). */
export type AuthorizationServer = {
  authorization: string;
  token: string;
  revocation: string;
  /** Undefined if the site has no sign-in by device code (RFC 8628). */
  device: string | undefined;
};

/**
 * Reads the endpoints. All must be on the site itself, as must the issuer, so that no token goes anywhere else.
 * @throws ClientError SITE_FAILED for a site without sign-in for tools
 */
export async function discover(site: Site): Promise<AuthorizationServer> {
  const response = await sendBriefly(site, '/.well-known/oauth-authorization-server');
  if (!response.ok) throw await failureOf(response);
  const metadata = await jsonOf(response);
  if (metadata.issuer !== site.url) throw clientError('SITE_INVALID');
  const device = metadata.device_authorization_endpoint;
  return {
    authorization: pathOn(site, metadata.authorization_endpoint),
    token: pathOn(site, metadata.token_endpoint),
    revocation: pathOn(site, metadata.revocation_endpoint),
    device: device === undefined ? undefined : pathOn(site, device),
  };
}

/** Sends a form to an endpoint of the authorization server. */
export function post(site: Site, path: string, form: Record<string, string>, signal?: AbortSignal) {
  return sendBriefly(site, path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    signal,
  });
}
