import { clientError, isClientError } from '../errors.ts';
import { failureOf, jsonOf, type Site } from '../site.ts';
import { type AuthorizationServer, post } from './server.ts';

/** What users need to allow the tool on another device. */
export type DeviceCode = {
  /** To be typed at `verificationUri`. */
  userCode: string;
  verificationUri: string;
  /** The same with the code in it, for a link or a QR code. */
  verificationUriComplete: string | undefined;
  /** Milliseconds since 1970. */
  expiresAt: number;
};

type Settings = { site: Site; clientId: string; server: () => Promise<AuthorizationServer> };

export type DeviceOptions = {
  scope: readonly string[];
  /** Shows the code. */
  onCode: (code: DeviceCode) => void;
  signal?: AbortSignal | undefined;
};

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** Seconds between two questions, unless the site says more; `slow_down` adds as many (RFC 8628 section 3.5). */
const INTERVAL = 5;

/**
 * Signs in by a code that users type elsewhere (RFC 8628), and asks as often as the site allows until they have.
 * @returns the answer of the token endpoint
 * @throws ClientError SITE_FAILED if the site has no such sign-in; SIGN_IN_EXPIRED; the signal's reason
 */
export async function signInByCode(
  { site, clientId, server }: Settings,
  { scope, onCode, signal }: DeviceOptions,
): Promise<Response> {
  const { device, token } = await server();
  if (device === undefined) throw clientError('SITE_FAILED', { reason: 'no device authorization' });
  const form = { client_id: clientId, scope: ['openid', ...scope].join(' ') };
  const begun = await post(site, device, form, signal);
  if (!begun.ok) throw await failureOf(begun);
  const { device_code, user_code, verification_uri, verification_uri_complete, expires_in, interval } =
    await jsonOf(begun);
  if (typeof device_code !== 'string' || typeof user_code !== 'string') throw clientError('SITE_INVALID');
  const expiresAt = site.now() + Number(expires_in) * 1000;
  onCode({
    userCode: user_code,
    verificationUri: String(verification_uri),
    verificationUriComplete:
      typeof verification_uri_complete === 'string' ? verification_uri_complete : undefined,
    expiresAt,
  });
  let seconds = Number(interval) || INTERVAL;
  while (site.now() < expiresAt) {
    await site.wait(seconds * 1000, signal);
    const asked = await post(
      site,
      token,
      { grant_type: GRANT, client_id: clientId, device_code },
      signal,
    ).catch((error: unknown) => {
      if (isClientError(error) && error.code === 'OFFLINE') return undefined;
      throw error;
    });
    const reason = asked && !asked.ok ? (await jsonOf(asked.clone())).error : undefined;
    if (reason === 'expired_token') break;
    if (asked && reason !== 'authorization_pending' && reason !== 'slow_down') return asked;
    if (!asked || reason === 'slow_down') seconds += INTERVAL;
  }
  throw clientError('SIGN_IN_EXPIRED');
}
