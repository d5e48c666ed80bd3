import { randomBytes } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { createSealer } from '../../sealing/seal.ts';
import { type CookieAttributes, cookieValue, deleteCookie, setCookie } from '../cookies.ts';
import type { SharedState } from '../session/shared-state.ts';

/** A sign-in begun in this browser and not finished. Several tabs may have one each. */
const Transaction = Type.Object({
  nonce: Type.String(),
  return_to: Type.String(),
  ux_mode: Type.Union([Type.Literal('redirect'), Type.Literal('popup'), Type.Literal('auth')]),
  /** Folder of a document service that the person comes from. */
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
/** What browsers keep of one cookie: bytes of its name and value (RFC 6265bis section 5.6). */
const COOKIE_BYTES = 4096;

type Jar = { name: string; attributes: CookieAttributes };

export type Transactions = {
  /** The transaction to send along, and the Set-Cookie line that binds it to this browser. */
  begin(
    wanted: Pick<Transaction, 'return_to' | 'ux_mode' | 'folder' | 'secrets'>,
    header: string | undefined,
  ): { transaction: Transaction; cookie: string };
  /**
   * The transaction of a nonce that came back, with the Set-Cookie lines that forget it; undefined when this browser
   * has not begun it, or when it has been used before (requirement 7, RFC 9700 section 4.7).
   */
  finish(
    nonce: string | undefined,
    header: string | undefined,
  ): Promise<{ transaction: Transaction; cookies: string[] } | undefined>;
};

/** `secure`: the site is https. The login page may stand in a frame (`auth`), where only SameSite=None cookies go. */
export function createTransactions({
  keys,
  secure,
  state,
  now,
}: {
  keys: Buffer[];
  secure: boolean;
  state: SharedState;
  now: () => number;
}): Transactions {
  const prefix = secure ? '__Host-Http-' : '';
  const inPage: Jar = { name: `${prefix}login`, attributes: { secure, sameSite: 'Lax' } };
  const inFrame: Jar = {
    name: `${prefix}login-frame`,
    attributes: secure ? { secure, sameSite: 'None', partitioned: true } : { secure, sameSite: 'Lax' },
  };
  const jars: Record<UxMode, Jar> = { redirect: inPage, popup: inPage, auth: inFrame };
  const sealer = createSealer(keys, 'login transaction');

  function read(header: string | undefined, name: string): Transaction[] {
    const sealed = cookieValue(header, name);
    const text = sealed === undefined ? undefined : sealer.open(sealed, name);
    const value: unknown = text === undefined ? [] : JSON.parse(text);
    return check.Check(value) ? value.filter(({ expires }) => expires > now()) : [];
  }
  /** Long addresses to return to leave room for fewer sign-ins: the oldest give way. */
  function write(open: Transaction[], jar: Jar): string {
    const { name, attributes } = jar;
    if (open.length === 0) return deleteCookie(name, attributes);
    const sealed = sealer.seal(JSON.stringify(open), name);
    const isKept = name.length + sealed.length <= COOKIE_BYTES;
    return isKept || open.length === 1
      ? setCookie(name, sealed, LIFETIME, attributes)
      : write(open.slice(1), jar);
  }

  return {
    begin(wanted, header) {
      const jar = jars[wanted.ux_mode];
      const nonce = randomBytes(24).toString('base64url');
      const transaction = { ...wanted, nonce, expires: now() + LIFETIME };
      const open = [...read(header, jar.name), transaction].slice(-KEPT);
      return { transaction, cookie: write(open, jar) };
    },
    async finish(nonce, header) {
      for (const jar of [inPage, inFrame]) {
        const open = read(header, jar.name);
        const transaction = open.find((candidate) => candidate.nonce === nonce);
        if (!transaction) continue;
        if (!(await state.useOnce(transaction.nonce, transaction.expires))) return undefined;
        const rest = open.filter((candidate) => candidate !== transaction);
        return { transaction, cookies: [write(rest, jar)] };
      }
      return undefined;
    },
  };
}
