import type { FastifyBaseLogger } from 'fastify';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import type { ConnectionTest } from '../../../../shared/routes/settings.ts';
import type { Encryptor } from '../../../encryption/encryptor.ts';
import { createOutgoingFetch, type Fetch } from '../../../http/outgoing.ts';
import type { Db } from '../../schema.ts';
import { type AccountName, openAccount } from './accounts.ts';

/** Addresses of the vendors (settings ICON_FONT_TOKEN_URL and STOCK_PHOTO_URL). */
export type VendorSettings = {
  iconFontTokenUrl?: string | undefined;
  stockPhotoUrl?: string | undefined;
  /** PEM of a private certificate authority. */
  ca?: string | undefined;
  /** Milliseconds. */
  timeout?: number;
};

const TIMEOUT_MS = 5000;

type Credentials = { clientId: string; secret: string };
type Vendor = {
  addressOf: (settings: VendorSettings) => string | undefined;
  request: (address: string, account: Credentials) => { url: string; options: Parameters<Fetch>[1] };
  /** True if the body of a successful response is that for a valid account. */
  isAcceptance: (body: unknown) => boolean;
  /** True if the body of an error response reports an invalid account. */
  isRejection: (body: unknown) => boolean;
};

const Token = Type.Object({ access_token: Type.String({ minLength: 1 }) });
const ClientRejected = Type.Object({ error: Type.Enum(['invalid_client', 'unauthorized_client']) });
const Photos = Type.Object({ photos: Type.Array(Type.Unknown()) });

const VENDORS: Readonly<Record<AccountName, Vendor>> = {
  /** A client's own access token (RFC 6749 sections 2.3.1, 4.4 and 5.2). */
  icon_font: {
    addressOf: ({ iconFontTokenUrl }) => iconFontTokenUrl,
    request: (url, { clientId, secret }) => {
      const user = `${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`;
      const headers = {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(user).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      };
      return { url, options: { method: 'POST', headers, body: 'grant_type=client_credentials' } };
    },
    isAcceptance: (body) => Check(Token, body),
    isRejection: (body) => Check(ClientRejected, body),
  },
  /** One photo of the Pexels API: the cheapest call that requires the key. */
  stock_photo: {
    addressOf: ({ stockPhotoUrl }) => stockPhotoUrl,
    request: (address, { secret }) => ({
      url: `${address}/curated?per_page=1`,
      options: { method: 'GET', headers: { accept: 'application/json', authorization: secret } },
    }),
    isAcceptance: (body) => Check(Photos, body),
    isRejection: () => false,
  },
};

/**
 * Creates a test of saved accounts with their vendors. Only the kind and status of the response are returned, since a vendor
 * may repeat the secret in it. Concurrent tests of an account share one request.
 */
export function createConnectionTester(options: { db: Db; encryptor: Encryptor; settings: VendorSettings }): {
  testConnection: (name: AccountName, log: FastifyBaseLogger) => Promise<ConnectionTest>;
  /** Host of the vendor's address, or an empty text. */
  hostOf: (name: AccountName) => string;
} {
  const { settings } = options;
  const { ca, timeout = TIMEOUT_MS } = settings;
  const send = createOutgoingFetch({ ca, timeout });
  const running = new Map<AccountName, Promise<ConnectionTest>>();

  async function test(name: AccountName, log: FastifyBaseLogger): Promise<ConnectionTest> {
    const vendor = VENDORS[name];
    const address = vendor.addressOf(settings);
    if (address === undefined) return { result: 'no_address', status: null };
    const account = await openAccount(options, name);
    if (account.state !== 'opened') return { result: account.state, status: null };
    const { url, options: init } = vendor.request(address, account);
    try {
      const response = await send(url, init);
      return { result: await resultOf(response, vendor), status: response.status };
    } catch (error) {
      log.info({ err: error, account: name }, 'a vendor did not respond to an account test');
      return { result: failureOf(error), status: null };
    }
  }
  return {
    async testConnection(name, log) {
      const pending = running.get(name) ?? test(name, log).finally(() => running.delete(name));
      running.set(name, pending);
      const tested = await pending;
      log.info({ event: 'account_test', account: name, ...tested }, 'a third-party account was tested');
      return tested;
    },
    hostOf(name) {
      const address = VENDORS[name].addressOf(settings);
      return address === undefined ? '' : new URL(address).host;
    },
  };
}

const RESULTS: Readonly<Record<number, ConnectionTest['result']>> = {
  401: 'refused',
  403: 'refused',
  429: 'limited',
};

async function resultOf(response: Response, vendor: Vendor): Promise<ConnectionTest['result']> {
  const { status, ok } = response;
  const body: unknown = await response.json().catch(() => undefined);
  if (ok) return vendor.isAcceptance(body) ? 'accepted' : 'unusable';
  if (status >= 300 && status < 400) return 'redirected';
  return RESULTS[status] ?? (vendor.isRejection(body) ? 'refused' : 'failed');
}

/** Error codes of Node and undici for an unusable response; all others are an unreachable vendor. */
const FAILURES: readonly [codes: RegExp, result: ConnectionTest['result']][] = [
  [/^(?:TimeoutError|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timed_out'],
  [/^UND_ERR_RES_EXCEEDED_MAX_SIZE$/, 'too_large'],
  [/^(?:HTTPParserError|RangeError|UND_ERR_HEADERS_OVERFLOW)$/, 'unusable'],
];

function failureOf(error: unknown): ConnectionTest['result'] {
  const cause: unknown = Object(error).cause;
  const { code, name } = Object(cause);
  const found = FAILURES.find(([codes]) => [code, name].some((word) => codes.test(String(word))));
  return found?.[1] ?? 'unreachable';
}
