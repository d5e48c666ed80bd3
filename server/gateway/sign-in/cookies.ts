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
  dropCookie,
  putCookie,
} from '../../http/cookies.ts';
import { isObject } from '../upstream.ts';

/** A sign-in begun in this browser and not finished. Several tabs may have one each. */
const Transaction = Type.Object({
  nonce: Type.String(),
  return_to: Type.String(),
  ux_mode: Type.Union([Type.Literal('redirect'), Type.Literal('popup'), Type.Literal('auth')]),
  /** Where a bind leads on to, when not to `return_to`. */
  onward: Type.Optional(Type.String()),
  /** Folder of a document service that the user comes from. */
  folder: Type.Optional(Type.String()),
  /** What the sign-in service's protocol needs again when the browser is back. */
  secrets: Type.Record(Type.String(), Type.String()),
  expires: Type.Number(),
});
export type Transaction = Static<typeof Transaction>;
export type UxMode = Transaction['ux_mode'];

/** A bind that the user service keeps waiting for this browser. Several tabs may have one each. */
const PendingBind = Type.Object({
  /** What the page's address names it by: worth nothing without the cookie. */
  handle: Type.String(),
  /** What the user service names it by. */
  id: Type.String(),
  /** The callback that the id has come to. */
  redirect_uri: Type.Optional(Type.String()),
  expires: Type.Number(),
});
type PendingBind = Static<typeof PendingBind>;

/** A token by which the identity service knows a browser; one for each account, the latest last. */
const Device = Type.Object({ user_id: Type.Integer(), token: Type.String() });

const TRANSACTION_LIFETIME = 10 * 60 * 1000;
const DEVICES_LIFETIME = 365 * 24 * 60 * 60 * 1000;
/** Sign-ins and binds of one browser at the same time. */
const ENTRIES_MAX = 4;
/** Five of the longest fit into one cookie. */
const DEVICE_TOKEN_MAX = 400;

/**
 * A cookie that holds a list, encrypted for its purpose, out of reach of scripts. `lifetime` in milliseconds; entries may
 * end before, at `expires`.
 */
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
  const isOpen = (entry: unknown): boolean =>
    !isObject(entry) || typeof entry.expires !== 'number' || entry.expires > now();

  return {
    /** Undefined for a cookie of no use: altered, encrypted with a forgotten key, or sent twice. */
    read(cookies: Cookies): Static<S>[] | undefined {
      const encrypted = cookies[name];
      if (encrypted === undefined) return [];
      const text = encryptor.decrypt(encrypted, name);
      const value: unknown = text === undefined ? undefined : JSON.parse(text);
      return check.Check(value) ? value.filter(isOpen) : undefined;
    },
    fits: (list: readonly Static<S>[]): boolean =>
      cookieLine(name, encrypt(list), lifetime, attributes).length <= COOKIE_BYTES,
    write(reply: FastifyReply, list: readonly Static<S>[]): void {
      if (list.length === 0) dropCookie(reply, name, attributes);
      else putCookie(reply, name, encrypt(list), lifetime, attributes);
    },
    deletion: (): string => deletionLine(name, attributes),
  };
}

export type Transactions = ReturnType<typeof createTransactions>;

/** One-time sign-ins, each bound to its browser. */
export function createTransactions(app: FastifyInstance) {
  const { now, secure } = app.gateway;
  const { state } = app.shared;
  const kind = { purpose: 'login transaction', item: Transaction, lifetime: TRANSACTION_LIFETIME };
  const inPage = createListCookie(app, { ...kind, name: 'login' }, { sameSite: 'lax' });
  // The login page may stand in a frame (`auth`), where only SameSite=None cookies go.
  const inFrame = createListCookie(
    app,
    { ...kind, name: 'login-frame' },
    secure ? { sameSite: 'none', partitioned: true } : { sameSite: 'lax' },
  );
  const cookieOf = { redirect: inPage, popup: inPage, auth: inFrame } satisfies Record<UxMode, unknown>;

  return {
    /** A transaction to send along, which means nothing until its browser keeps it. */
    create(wanted: Omit<Transaction, 'nonce' | 'expires'>): Transaction {
      const nonce = randomBytes(24).toString('base64url');
      const asked = { ...wanted, nonce, expires: now() + TRANSACTION_LIFETIME };
      // An address that fits into no cookie is given up, not the sign-in.
      return cookieOf[wanted.ux_mode].fits([asked]) ? asked : { ...asked, return_to: BASE_PATH };
    },
    /** Binds a transaction to this browser. Long addresses leave room for fewer sign-ins: the oldest give way. */
    store(reply: FastifyReply, transaction: Transaction): void {
      const cookie = cookieOf[transaction.ux_mode];
      let list = [...(cookie.read(reply.request.cookies) ?? []), transaction].slice(-ENTRIES_MAX);
      while (list.length > 1 && !cookie.fits(list)) list = list.slice(1);
      cookie.write(reply, list);
    },
    /**
     * The transaction of a nonce that came back; undefined when this browser has not begun it, or when it has been used
     * before (requirement 7, RFC 9700 section 4.7). It is forgotten, and so are cookies of no use.
     */
    async finish(reply: FastifyReply, nonce: string): Promise<Transaction | undefined> {
      let found: Transaction | undefined;
      for (const cookie of [inPage, inFrame]) {
        const open = cookie.read(reply.request.cookies);
        const own = open?.find((candidate) => candidate.nonce === nonce);
        if (own && !(await state.useOnce(nonce, own.expires))) continue;
        if (!open || own) cookie.write(reply, open?.filter((candidate) => candidate !== own) ?? []);
        found ??= own;
      }
      return found;
    },
  };
}

export type PendingBinds = ReturnType<typeof createPendingBinds>;

/** Binds that wait for their browser. */
export function createPendingBinds(app: FastifyInstance) {
  const { now } = app.gateway;
  const kind = { purpose: 'pending bind', item: PendingBind, lifetime: BIND_LIFETIME };
  const cookie = createListCookie(app, { ...kind, name: 'bind' });
  const read = (cookies: Cookies): PendingBind[] => cookie.read(cookies) ?? [];

  return {
    /** Keeps a bind for this browser alone; answers the handle that its page is opened with. */
    store(reply: FastifyReply, bind: Pick<PendingBind, 'id' | 'redirect_uri'>): string {
      const handle = randomBytes(24).toString('base64url');
      const pending = { ...bind, handle, expires: now() + BIND_LIFETIME };
      cookie.write(reply, [...read(reply.request.cookies), pending].slice(-ENTRIES_MAX));
      return handle;
    },
    /** The bind of a handle; undefined when this browser does not have it, or it has run out. */
    find: (handle: unknown, cookies: Cookies): PendingBind | undefined =>
      read(cookies).find((bind) => bind.handle === handle),
    forget(reply: FastifyReply, handle: unknown): void {
      const others = read(reply.request.cookies).filter((bind) => bind.handle !== handle);
      cookie.write(reply, others);
    },
  };
}

export type KnownDevices = ReturnType<typeof createKnownDevices>;

/** By what a browser is known where somebody has signed in, so that nobody else's wrong passwords delay them. */
export function createKnownDevices(app: FastifyInstance) {
  const kind = { purpose: 'known devices', item: Device, lifetime: DEVICES_LIFETIME };
  const cookie = createListCookie(app, { ...kind, name: 'devices' });

  return {
    /** What a call to the identity service says of the browser. */
    headers(cookies: Cookies): Record<string, string> {
      const tokens = (cookie.read(cookies) ?? []).map(({ token }) => token);
      return tokens.length > 0 ? { [KNOWN_DEVICES_HEADER]: tokens.join(',') } : {};
    },
    /** After a sign-in the browser is known by this token. */
    remember(reply: FastifyReply, { userId, token }: { userId: number; token: string | undefined }): void {
      if (token === undefined || token.length > DEVICE_TOKEN_MAX) return;
      const others = (cookie.read(reply.request.cookies) ?? []).filter(({ user_id }) => user_id !== userId);
      cookie.write(reply, [...others, { user_id: userId, token }].slice(-KNOWN_DEVICES_MAX));
    },
    /** Set-Cookie lines that delete a cookie which is not ours. */
    clearUnusable: (cookies: Cookies): string[] => (cookie.read(cookies) ? [] : [cookie.deletion()]),
  };
}
