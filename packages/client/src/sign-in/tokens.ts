import { clientError } from '../errors.ts';
import { failureOf, jsonOf, type Site } from '../site.ts';
import { type ClientStorage, readJson, writeJson } from '../storage.ts';
import { type AuthorizationServer, post } from './server.ts';

/** What a sign-in has brought; `expires_at` in milliseconds since 1970. */
type Tokens = { access_token: string; refresh_token: string; expires_at: number };

export type TokenSource = {
  /** Accepts the answer of the token endpoint. @throws ClientError SIGN_IN_REFUSED, SITE_FAILED */
  accept(response: Response): Promise<void>;
  /** A valid access token, another one than `refused`. @throws ClientError SIGNED_OUT, OFFLINE, SITE_FAILED */
  access(refused?: string): Promise<string>;
  isSignedIn(): Promise<boolean>;
  /** Forgets the tokens. @returns the refresh token, if there was one */
  clear(): Promise<string | undefined>;
};

type Settings = {
  site: Site;
  clientId: string;
  storage: ClientStorage;
  server: () => Promise<AuthorizationServer>;
};

const NAME = 'tokens';
/** Milliseconds before its end at which a token is renewed, so that it does not expire on its way. */
const MARGIN = 30_000;

/**
 * The tokens of the person who is signed in. A refresh token works once, so that one refresh at a time runs: in this program by
 * its promise, between tabs of a browser by a lock, whose later holders find the new tokens in the storage.
 */
export function createTokens({ site, clientId, storage, server }: Settings): TokenSource {
  let renewing: Promise<Tokens> | undefined;
  const read = () => readJson<Tokens>(storage, NAME);
  const isUsable = (tokens: Tokens, refused: string | undefined) =>
    tokens.access_token !== refused && site.now() < tokens.expires_at - MARGIN;

  async function store(response: Response, former?: string): Promise<Tokens> {
    const { access_token, refresh_token = former, expires_in } = await jsonOf(response);
    if (typeof access_token !== 'string' || typeof refresh_token !== 'string')
      throw clientError('SITE_INVALID');
    const expires_at = site.now() + (Number(expires_in) || 60) * 1000;
    const tokens = { access_token, refresh_token, expires_at };
    await writeJson(storage, NAME, tokens);
    return tokens;
  }

  async function renew(refused: string | undefined): Promise<Tokens> {
    const tokens = await read();
    if (!tokens) throw clientError('SIGNED_OUT');
    if (isUsable(tokens, refused)) return tokens;
    const { token } = await server();
    const { refresh_token } = tokens;
    const response = await post(site, token, {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token,
    });
    if (response.ok) return store(response, refresh_token);
    const failure = await failureOf(response);
    if (failure.reason !== 'invalid_grant') throw failure;
    await storage.delete(NAME);
    throw clientError('SIGNED_OUT', { cause: failure, reason: 'invalid_grant' });
  }

  return {
    async accept(response) {
      if (response.ok) {
        await store(response);
        return;
      }
      const failure = await failureOf(response);
      throw response.status < 500 && response.status !== 429
        ? clientError('SIGN_IN_REFUSED', { cause: failure, reason: failure.reason ?? '' })
        : failure;
    },
    async access(refused) {
      const tokens = await read();
      if (!tokens) throw clientError('SIGNED_OUT');
      if (isUsable(tokens, refused)) return tokens.access_token;
      renewing ??= alone(`plugin-square ${site.url} ${clientId}`, () => renew(refused)).finally(() => {
        renewing = undefined;
      });
      return (await renewing).access_token;
    },
    isSignedIn: async () => (await read()) !== undefined,
    async clear() {
      const tokens = await read();
      await storage.delete(NAME);
      return tokens?.refresh_token;
    },
  };
}

/** Runs work while no other page of this origin runs work of this name (Web Locks API), where there are such locks. */
async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = 'navigator' in globalThis ? globalThis.navigator.locks : undefined;
  return locks ? await locks.request(name, work) : work();
}
