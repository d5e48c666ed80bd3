import type { FastifyBaseLogger } from 'fastify';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import type { ConnectionTest } from '../../../shared/routes/settings.ts';
import type { Encryptor } from '../../encryption/encryptor.ts';
import { createOutgoingFetch, type Fetch } from '../../http/outgoing.ts';
import type { Db } from '../schema.ts';
import { type AccountName, openAccount } from './accounts.ts';

/** Where vendors are asked (settings ICON_FONT_TOKEN_URL and STOCK_PHOTO_URL), and how long, in milliseconds. */
export type VendorSettings = {
  iconFontTokenUrl?: string | undefined;
  stockPhotoUrl?: string | undefined;
  /** PEM of a private authority that vouches for them. */
  ca?: string | undefined;
  timeout?: number;
};

const TIMEOUT = 5000;

type Credentials = { clientId: string; secret: string };
type Vendor = {
  addressOf: (settings: VendorSettings) => string | undefined;
  request: (address: string, account: Credentials) => { url: string; options: Parameters<Fetch>[1] };
  /** Whether a body with a status of success is what the vendor answers to an account that works. */
  isAcceptance: (body: unknown) => boolean;
  /** Whether a body with another status says that the account is no good. */
  isRefusal: (body: unknown) => boolean;
};

const Token = Type.Object({ access_token: Type.String({ minLength: 1 }) });
const ClientRefused = Type.Object({ error: Type.Enum(['invalid_client', 'unauthorized_client']) });
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
    isRefusal: (body) => Check(ClientRefused, body),
  },
  /** One photo, as the Pexels API has it: the cheapest call that wants the key. */
  stock_photo: {
    addressOf: ({ stockPhotoUrl }) => stockPhotoUrl,
    request: (address, { secret }) => ({
      url: `${address}/curated?per_page=1`,
      options: { method: 'GET', headers: { accept: 'application/json', authorization: secret } },
    }),
    isAcceptance: (body) => Check(Photos, body),
    isRefusal: () => false,
  },
};

/**
 * Asks vendors whether a saved account works. Nothing but the kind of the answer and its status is told: a vendor may
 * well repeat in its answer what it was sent. Several tests of one account at a time are one question.
 */
export function connectionTester(options: { db: Db; encryptor: Encryptor; settings: VendorSettings }): {
  testConnection: (name: AccountName, log: FastifyBaseLogger) => Promise<ConnectionTest>;
  /** Host of the vendor's address; empty where none is set. */
  hostOf: (name: AccountName) => string;
} {
  const { settings } = options;
  const { ca, timeout = TIMEOUT } = settings;
  const send = createOutgoingFetch({ ca, timeout });
  const underWay = new Map<AccountName, Promise<ConnectionTest>>();

  async function test(name: AccountName, log: FastifyBaseLogger): Promise<ConnectionTest> {
    const vendor = VENDORS[name];
    const address = vendor.addressOf(settings);
    if (address === undefined) return { result: 'no_address', status: null };
    const account = await openAccount(options, name);
    if (account.state !== 'opened') return { result: account.state, status: null };
    const { url, options: question } = vendor.request(address, account);
    try {
      const response = await send(url, question);
      return { result: await resultOf(response, vendor), status: response.status };
    } catch (error) {
      log.info({ err: error, account: name }, 'a vendor did not answer a test of its account');
      return { result: failureOf(error), status: null };
    }
  }
  return {
    async testConnection(name, log) {
      const asked = underWay.get(name) ?? test(name, log).finally(() => underWay.delete(name));
      underWay.set(name, asked);
      const tested = await asked;
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
  return RESULTS[status] ?? (vendor.isRefusal(body) ? 'refused' : 'failed');
}

/** Of those that Node and undici give to what came instead of an answer; all others mean that none came. */
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
