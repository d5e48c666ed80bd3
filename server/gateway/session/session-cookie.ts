import {
  type CookieAttributes,
  type Cookies,
  cookieLine,
  cookieName,
  deletionLine,
} from '../../http/cookies.ts';
import { boundedMap } from '../../memory/bounded-map.ts';
import { createSealer } from '../../sealing/seal.ts';
import { joinCookies, namesOf, splitIntoCookies } from './chunks.ts';
import { parseSession, type Session } from './session.ts';

export type OpenedCookie = { kind: 'none' } | { kind: 'unusable' } | { kind: 'opened'; session: Session };

export type SessionCookie = {
  open(cookies: Cookies): OpenedCookie;
  /** Whether cookies can hold the session. */
  fits(session: Session): boolean;
  /**
   * Set-Cookie lines that keep the session for `maxAge` milliseconds and delete parts no longer used; none for a session
   * that cookies cannot hold.
   */
  write(session: Session, cookies: Cookies, maxAge: number): string[];
  /** Set-Cookie lines that delete every part the browser has. */
  clear(cookies: Cookies): string[];
};

/** Name of the cookie, or of its first part. `secure`: the site is https. */
export function sessionCookieName(secure: boolean): string {
  return cookieName('session', secure);
}

/** Opening costs a decryption, so what was opened is remembered by the cookie's whole value. */
const REMEMBERED = 10_000;

/** The cookie that holds a session (requirements 1 to 5). `secure`: the site is https. */
export function createSessionCookie({
  keys,
  secure,
  onWrite = () => undefined,
}: {
  keys: Buffer[];
  secure: boolean;
  /** Told of the bytes that all parts of a written cookie have together. */
  onWrite?: (bytes: number) => void;
}): SessionCookie {
  const name = sessionCookieName(secure);
  const attributes: CookieAttributes = { secure, sameSite: 'strict' };
  const sealer = createSealer(keys, 'session');
  const opened = boundedMap<Session>({ limit: REMEMBERED });

  /** One request asks for its cookies several times. */
  let latest: { cookies: Cookies; found: OpenedCookie } = { cookies: {}, found: { kind: 'none' } };
  function decrypt(cookies: Cookies): OpenedCookie {
    const value = joinCookies(cookies, name);
    if (value === undefined) return { kind: 'none' };
    if (value === null) return { kind: 'unusable' };
    const known = opened.get(value);
    if (known) return { kind: 'opened', session: known };
    const text = sealer.open(value, name);
    const session = text === undefined ? undefined : parseSession(text);
    if (!session) return { kind: 'unusable' };
    opened.set(value, session);
    return { kind: 'opened', session };
  }

  return {
    fits: (session) =>
      splitIntoCookies(name, sealer.seal(JSON.stringify(session), name), attributes) !== undefined,
    open(cookies) {
      if (cookies !== latest.cookies) latest = { cookies, found: decrypt(cookies) };
      return latest.found;
    },
    write(session, cookies, maxAge) {
      const value = sealer.seal(JSON.stringify(session), name);
      const parts = splitIntoCookies(name, value, attributes);
      if (!parts) return [];
      opened.set(value, session);
      onWrite(parts.reduce((sum, part) => sum + part.name.length + part.value.length, 0));
      const used = new Set(parts.map((part) => part.name));
      const stale = namesOf(cookies, name).filter((part) => !used.has(part));
      return [
        ...parts.map((part) => cookieLine(part.name, part.value, maxAge, attributes)),
        ...stale.map((part) => deletionLine(part, attributes)),
      ];
    },
    clear: (cookies) => namesOf(cookies, name).map((part) => deletionLine(part, attributes)),
  };
}
