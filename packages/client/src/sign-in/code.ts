import { base64url } from 'jose';
import { clientError } from '../errors.ts';
import type { Site } from '../site.ts';
import { type ClientStorage, readJson, writeJson } from '../storage.ts';
import { type AuthorizationServer, post } from './server.ts';

/** A sign-in that has begun; kept until the browser comes back. */
type Begun = { verifier: string; redirectUri: string; at: number };

type Settings = {
  site: Site;
  clientId: string;
  storage: ClientStorage;
  server: () => Promise<AuthorizationServer>;
};

export type BeginOptions = {
  /** Where the browser comes back: one of the tool's redirect URIs, as the operator has registered them. */
  redirectUri: string;
  /** What the tool asks for: `plugins:read`, `plugins:install`. */
  scope: readonly string[];
};

/** Milliseconds for which an answer is waited for; a site gives its users ten minutes. */
const LIFETIME = 15 * 60_000;
const PREFIX = 'sign-in/';

const random = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(32)));

/** Begins a sign-in by authorization code with PKCE (RFC 7636). @returns the address to open, and its state */
export async function beginCode(
  { site, clientId, storage, server }: Settings,
  { redirectUri, scope }: BeginOptions,
): Promise<{ url: string; state: string }> {
  const { authorization } = await server();
  const [verifier, state] = [random(), random()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  await forgetOld(storage, site.now());
  await writeJson(storage, PREFIX + state, { verifier, redirectUri, at: site.now() } satisfies Begun);
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: ['openid', ...scope].join(' '),
    state,
    code_challenge: base64url.encode(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  });
  return { url: `${site.url}${authorization}?${query}`, state };
}

async function forgetOld(storage: ClientStorage, now: number): Promise<void> {
  for (const name of (await storage.names()).filter((one) => one.startsWith(PREFIX))) {
    const begun = await readJson<Begun>(storage, name);
    if (!begun || now - begun.at > LIFETIME) await storage.delete(name);
  }
}

/**
 * Exchanges the code in the address that the browser came back to. The state names a sign-in that was begun here and works
 * once; `iss` keeps answers of other servers out (RFC 9207).
 * @returns the answer of the token endpoint
 * @throws ClientError SIGN_IN_INVALID, SIGN_IN_REFUSED
 */
export async function completeCode(
  { site, clientId, storage, server }: Settings,
  address: string,
): Promise<Response> {
  const { searchParams } = new URL(address);
  const state = searchParams.get('state') ?? '';
  const name = /^[\w-]{43}$/.test(state) ? PREFIX + state : undefined;
  const begun = name === undefined ? undefined : await readJson<Begun>(storage, name);
  if (!begun || name === undefined) throw clientError('SIGN_IN_INVALID');
  await storage.delete(name);
  const issuer = searchParams.get('iss') ?? site.url;
  if (issuer !== site.url || site.now() - begun.at > LIFETIME) throw clientError('SIGN_IN_INVALID');
  const error = searchParams.get('error');
  if (error !== null) throw clientError('SIGN_IN_REFUSED', { reason: error });
  const { token } = await server();
  return post(site, token, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: searchParams.get('code') ?? '',
    code_verifier: begun.verifier,
    redirect_uri: begun.redirectUri,
  });
}
