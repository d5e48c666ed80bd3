import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { BASE_PATH, BIND_LIFETIME } from '../../../shared/constants.ts';
import { KNOWN_DEVICES_HEADER, KNOWN_DEVICES_MAX } from '../../../shared/user-service.ts';
import { createEncryptor } from '../../encryption/encryptor.ts';
import {
  COOKIE_BYTES,
  type CookieAttributes,
  type Cookies,
  cookieLine,
  cookieName,
  deletionLine,
  setCookie,
} from '../../http/cookies.ts';
import { isObject } from '../upstream.ts';

/** A pending sign-in of this browser; several tabs may each have one. */
const Transaction = Type.Object({
  nonce: Type.String(),
  return_to: Type.String(),
  ux_mode: Type.Union([Type.Literal('redirect'), Type.Literal('popup'), Type.Literal('auth')]),
  /** The session is for a page inside a design tool. */
  in_tool: Type.Optional(Type.Literal(true)),
  /** Who started it was signed in already, and is to sign in again. */
  again: Type.Optional(Type.Literal(true)),
  /** Target after binding an account, if it differs from `return_to`. */
  onward: Type.Optional(Type.String()),
  /** Folder id of the document service that the user comes from. */
  folder: Type.Optional(Type.String()),
  /** Secrets that the provider needs at the callback, such as the PKCE verifier. */
  secrets: Type.Record(Type.String(), Type.String()),
  expires: Type.Number(),
});
export type Transaction = Static<typeof Transaction>;
export type UxMode = Transaction['ux_mode'];

/** A pending account binding of this browser; several tabs may each have one. */
const PendingBind = Type.Object({
  /** Its id in the page's URL: useless without the cookie. */
  handle: Type.String(),
  /** Its id at the user service. */
  id: Type.String(),
  /** The callback URL that received the id. */
  redirect_uri: Type.Optional(Type.String()),
  expires: Type.Number(),
});
type PendingBind = Static<typeof PendingBind>;

/** A device token of the identity service; one for each account, the latest last. */
const Device = Type.Object({ user_id: Type.Integer(), token: Type.String() });

const TRANSACTION_LIFETIME = 10 * 60 * 1000;
const DEVICES_LIFETIME = 365 * 24 * 60 * 60 * 1000;
/** Maximum number of pending sign-ins, and of pending bindings, of one browser. */
const ENTRIES_MAX = 4;
/** Five tokens of this length fit into one cookie. */
const DEVICE_TOKEN_MAX = 400;

/** An encrypted HttpOnly cookie with a list. `lifetime` in milliseconds; entries may expire earlier, at `expires`. */
function createListCookie<S extends TSchema>(
  { gateway: { keys, now, secure } }: FastifyInstance,
  given: { name: string; purpose: string; item: S; lifetime: number },
  { sameSite, partitioned = false }: Omit<CookieAttributes, 'secure'> = { sameSite: 'strict' },
) {
  const { lifetime } = given;
  const name = cookieName(given.name, secure);
  const attributes: CookieAttributes = { secure, sameSite, partitioned };
  const encryptor = createEncryptor(keys, given.purpose);
  const check = Compile(Type.Array(given.item));
  const encrypt = (list: readonly Static<S>[]): string => encryptor.encrypt(JSON.stringify(list), name);
  const isUnexpired = (entry: unknown): boolean =>
    !isObject(entry) || typeof entry.expires !== 'number' || entry.expires > now();

  return {
    /** Undefined for an invalid cookie: altered, encrypted with an unknown key, or sent twice. */
    read(cookies: Cookies): Static<S>[] | undefined {
      const encrypted = cookies[name];
      if (encrypted === undefined) return [];
      const text = encryptor.decrypt(encrypted, name);
      const value: unknown = text === undefined ? undefined : JSON.parse(text);
      return check.Check(value) ? value.filter(isUnexpired) : undefined;
    },
    fits: (list: readonly Static<S>[]): boolean =>
      cookieLine(name, encrypt(list), lifetime, attributes).length <= COOKIE_BYTES,
    write(reply: FastifyReply, list: readonly Static<S>[]): void {
      if (list.length === 0) setCookie(reply, name, '', 0, attributes);
      else setCookie(reply, name, encrypt(list), lifetime, attributes);
    },
    deletion: (): string => deletionLine(name, attributes),
  };
}

export type Transactions = ReturnType<typeof createTransactions>;

/** One-time login transactions, each bound to its browser by a cookie. */
export function createTransactions(app: FastifyInstance) {
  const { now, secure } = app.gateway;
  const { state } = app.shared;
  const kind = { purpose: 'login transaction', item: Transaction, lifetime: TRANSACTION_LIFETIME };
  const inPage = createListCookie(app, { ...kind, name: 'login' }, { sameSite: 'lax' });
  // In a frame (`auth`) browsers send only SameSite=None cookies.
  const inFrame = createListCookie(
    app,
    { ...kind, name: 'login-frame' },
    secure ? { sameSite: 'none', partitioned: true } : { sameSite: 'lax' },
  );
  const cookieOf = { redirect: inPage, popup: inPage, auth: inFrame } satisfies Record<UxMode, unknown>;

  return {
    /** Creates a transaction; it is valid only after `store`. */
    create(fields: Omit<Transaction, 'nonce' | 'expires'>): Transaction {
      const nonce = randomBytes(24).toString('base64url');
      const transaction = { ...fields, nonce, expires: now() + TRANSACTION_LIFETIME };
      // If `return_to` is too long for the cookie, the sign-in returns to the home page.
      return cookieOf[fields.ux_mode].fits([transaction])
        ? transaction
        : { ...transaction, return_to: BASE_PATH };
    },
    /** Binds a transaction to this browser. If the cookie becomes too large, the oldest transactions are dropped. */
    store(reply: FastifyReply, transaction: Transaction): void {
      const cookie = cookieOf[transaction.ux_mode];
      let list = [...(cookie.read(reply.request.cookies) ?? []), transaction].slice(-ENTRIES_MAX);
      while (list.length > 1 && !cookie.fits(list)) list = list.slice(1);
      cookie.write(reply, list);
    },
    /** This browser's pending sign-in in a window. */
    find: (cookies: Cookies, nonce: string): Transaction | undefined =>
      inPage.read(cookies)?.find((pending) => pending.nonce === nonce),
    /** Removes and returns this browser's unused transaction of a nonce (R 9.7, RFC 9700 section 4.7). */
    async finish(reply: FastifyReply, nonce: string): Promise<Transaction | undefined> {
      let found: Transaction | undefined;
      for (const cookie of [inPage, inFrame]) {
        const pending = cookie.read(reply.request.cookies);
        const own = pending?.find((candidate) => candidate.nonce === nonce);
        if (own && !(await state.useOnce(nonce, own.expires))) continue;
        if (!pending || own) cookie.write(reply, pending?.filter((candidate) => candidate !== own) ?? []);
        found ??= own;
      }
      return found;
    },
  };
}

export type PendingBinds = ReturnType<typeof createPendingBinds>;

/** Pending account bindings, each bound to its browser by a cookie. */
export function createPendingBinds(app: FastifyInstance) {
  const { now } = app.gateway;
  const kind = { purpose: 'pending bind', item: PendingBind, lifetime: BIND_LIFETIME };
  const cookie = createListCookie(app, { ...kind, name: 'bind' });
  const read = (cookies: Cookies): PendingBind[] => cookie.read(cookies) ?? [];

  return {
    /** Stores a binding and returns its handle for the page's URL. */
    store(reply: FastifyReply, bind: Pick<PendingBind, 'id' | 'redirect_uri'>): string {
      const handle = randomBytes(24).toString('base64url');
      const pending = { ...bind, handle, expires: now() + BIND_LIFETIME };
      cookie.write(reply, [...read(reply.request.cookies), pending].slice(-ENTRIES_MAX));
      return handle;
    },
    /** The binding of a handle; undefined if this browser does not have it or if it has expired. */
    find: (handle: unknown, cookies: Cookies): PendingBind | undefined =>
      read(cookies).find((bind) => bind.handle === handle),
    remove(reply: FastifyReply, handle: unknown): void {
      const others = read(reply.request.cookies).filter((bind) => bind.handle !== handle);
      cookie.write(reply, others);
    },
  };
}

export type KnownDevices = ReturnType<typeof createKnownDevices>;

/** Device tokens: failed sign-in attempts from other browsers do not delay a user on a known device. */
export function createKnownDevices(app: FastifyInstance) {
  const kind = { purpose: 'known devices', item: Device, lifetime: DEVICES_LIFETIME };
  const cookie = createListCookie(app, { ...kind, name: 'devices' });

  return {
    /** The header with the device tokens, for calls to the identity service. */
    headers(cookies: Cookies): Record<string, string> {
      const tokens = (cookie.read(cookies) ?? []).map(({ token }) => token);
      return tokens.length > 0 ? { [KNOWN_DEVICES_HEADER]: tokens.join(',') } : {};
    },
    store(reply: FastifyReply, { userId, token }: { userId: number; token: string | undefined }): void {
      if (token === undefined || token.length > DEVICE_TOKEN_MAX) return;
      const others = (cookie.read(reply.request.cookies) ?? []).filter(({ user_id }) => user_id !== userId);
      cookie.write(reply, [...others, { user_id: userId, token }].slice(-KNOWN_DEVICES_MAX));
    },
    /** Set-Cookie lines that delete an invalid cookie. */
    clearUnusable: (cookies: Cookies): string[] => (cookie.read(cookies) ? [] : [cookie.deletion()]),
  };
}
