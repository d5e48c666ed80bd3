import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { BASE_PATH } from '../../../shared/constants.ts';
import {
  COOKIE_BYTES,
  type CookieAttributes,
  type Cookies,
  cookieLine,
  cookieName,
  dropCookie,
  putCookie,
} from '../../http/cookies.ts';
import { createSealer } from '../../sealing/seal.ts';

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

const check = Compile(Type.Array(Transaction));
const LIFETIME = 10 * 60 * 1000;
const KEPT = 4;

type Jar = { name: string; attributes: CookieAttributes };

type Wanted = Pick<Transaction, 'return_to' | 'onward' | 'ux_mode' | 'folder' | 'secrets'>;

export type Transactions = ReturnType<typeof createTransactions>;

/** One-time sign-ins, bound to their browser by a sealed cookie. */
export function createTransactions({ gateway: { keys, now, secure }, shared: { state } }: FastifyInstance) {
  // The login page may stand in a frame (`auth`), where only SameSite=None cookies go.
  const inPage: Jar = { name: cookieName('login', secure), attributes: { secure, sameSite: 'lax' } };
  const inFrame: Jar = {
    name: cookieName('login-frame', secure),
    attributes: secure ? { secure, sameSite: 'none', partitioned: true } : { secure, sameSite: 'lax' },
  };
  const jars: Record<UxMode, Jar> = { redirect: inPage, popup: inPage, auth: inFrame };
  const sealer = createSealer(keys, 'login transaction');

  /** Undefined for a cookie of no use: altered, sealed with a forgotten key, or sent twice. */
  function read(cookies: Cookies, { name }: Jar): Transaction[] | undefined {
    const sealed = cookies[name];
    if (sealed === undefined) return [];
    const text = sealer.open(sealed, name);
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return check.Check(value) ? value.filter(({ expires }) => expires > now()) : undefined;
  }
  function fits(open: Transaction[], { name, attributes }: Jar): boolean {
    const value = sealer.seal(JSON.stringify(open), name);
    return cookieLine(name, value, LIFETIME, attributes).length <= COOKIE_BYTES;
  }
  /** Long addresses to return to leave room for fewer sign-ins: the oldest give way. */
  function write(reply: FastifyReply, open: Transaction[], jar: Jar): void {
    const { name, attributes } = jar;
    if (open.length === 0) dropCookie(reply, name, attributes);
    else if (!fits(open, jar)) write(reply, open.slice(1), jar);
    else putCookie(reply, name, sealer.seal(JSON.stringify(open), name), LIFETIME, attributes);
  }

  return {
    /** A transaction to send along, which means nothing until its browser keeps it. */
    create(wanted: Wanted): Transaction {
      const jar = jars[wanted.ux_mode];
      const nonce = randomBytes(24).toString('base64url');
      const asked = { ...wanted, nonce, expires: now() + LIFETIME };
      // An address that fits into no cookie is given up, not the sign-in.
      return fits([asked], jar) ? asked : { ...asked, return_to: BASE_PATH };
    },
    /** Binds a transaction to this browser. */
    keep(reply: FastifyReply, transaction: Transaction): void {
      const jar = jars[transaction.ux_mode];
      const open = read(reply.request.cookies, jar) ?? [];
      write(reply, [...open, transaction].slice(-KEPT), jar);
    },
    /**
     * The transaction of a nonce that came back; undefined when this browser has not begun it, or when it has been used
     * before (requirement 7, RFC 9700 section 4.7). It is forgotten, and so are cookies of no use.
     */
    async finish(reply: FastifyReply, nonce: string): Promise<Transaction | undefined> {
      const { cookies } = reply.request;
      const found = [inPage, inFrame].map((jar) => ({ jar, open: read(cookies, jar) }));
      for (const { jar, open } of found) if (!open) dropCookie(reply, jar.name, jar.attributes);
      for (const { jar, open = [] } of found) {
        const transaction = open.find((candidate) => candidate.nonce === nonce);
        if (!transaction) continue;
        if (!(await state.useOnce(transaction.nonce, transaction.expires))) break;
        const rest = open.filter((candidate) => candidate !== transaction);
        write(reply, rest, jar);
        return transaction;
      }
      return undefined;
    },
  };
}
