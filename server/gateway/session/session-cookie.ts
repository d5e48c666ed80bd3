import { boundedMap } from '../../memory/bounded-map.ts';
import { createSealer } from '../../sealing/seal.ts';
import { type CookieAttributes, deleteCookie, setCookie } from '../cookies.ts';
import { joinCookies, namesOf, splitIntoCookies } from './chunks.ts';
import { parseSession, type Session } from './session.ts';

export type OpenedCookie = { kind: 'none' } | { kind: 'unusable' } | { kind: 'opened'; session: Session };

export type SessionCookie = {
  open(header: string | undefined): OpenedCookie;
  /** Whether cookies can hold the session. */
  fits(session: Session): boolean;
  /** Set-Cookie lines that keep the session for `maxAge` milliseconds and delete parts no longer used. */
  write(session: Session, header: string | undefined, maxAge: number): string[];
  /** Set-Cookie lines that delete every part the browser has. */
  clear(header: string | undefined): string[];
};

/** Name of the cookie, or of its first part. `secure`: the site is https. */
export function sessionCookieName(secure: boolean): string {
  return secure ? '__Host-Http-session' : 'session';
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
  const attributes: CookieAttributes = { secure, sameSite: 'Strict' };
  const sealer = createSealer(keys, 'session');
  const opened = boundedMap<Session>({ limit: REMEMBERED });

  function fits(session: Session): boolean {
    try {
      return splitIntoCookies(name, sealer.seal(JSON.stringify(session), name)).length > 0;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }

  /** One request asks for the same header several times. */
  let latest: { header: string | undefined; found: OpenedCookie } = {
    header: undefined,
    found: { kind: 'none' },
  };
  function openAnew(header: string | undefined): OpenedCookie {
    const value = joinCookies(header, name);
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
    fits,
    open(header) {
      if (header !== latest.header) latest = { header, found: openAnew(header) };
      return latest.found;
    },
    write(session, header, maxAge) {
      const value = sealer.seal(JSON.stringify(session), name);
      const parts = splitIntoCookies(name, value);
      opened.set(value, session);
      onWrite(parts.reduce((sum, part) => sum + part.name.length + part.value.length, 0));
      const used = new Set(parts.map((part) => part.name));
      const stale = namesOf(header, name).filter((part) => !used.has(part));
      return [
        ...parts.map((part) => setCookie(part.name, part.value, maxAge, attributes)),
        ...stale.map((part) => deleteCookie(part, attributes)),
      ];
    },
    clear(header) {
      return namesOf(header, name).map((part) => deleteCookie(part, attributes));
    },
  };
}
