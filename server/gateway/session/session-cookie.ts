import { boundedMap } from '../bounded-map.ts';
import { type CookieAttributes, deleteCookie, setCookie } from '../cookies.ts';
import { joinCookies, namesOf, splitIntoCookies } from './chunks.ts';
import { createSealer } from './seal.ts';
import { parseSession, type Session } from './session.ts';

export type OpenedCookie = { kind: 'none' } | { kind: 'unusable' } | { kind: 'opened'; session: Session };

export type SessionCookie = {
  open(header: string | undefined): OpenedCookie;
  /** Set-Cookie lines that keep the session for `maxAge` milliseconds and delete parts no longer used. */
  write(session: Session, header: string | undefined, maxAge: number): string[];
  /** Set-Cookie lines that delete every part the browser has. */
  clear(header: string | undefined): string[];
};

/** Opening costs a decryption, so what was opened is remembered by the cookie's whole value. */
const REMEMBERED = 10_000;

/** The cookie that holds a session (requirements 1 to 5). `secure`: the site is https. */
export function createSessionCookie({ keys, secure }: { keys: Buffer[]; secure: boolean }): SessionCookie {
  const name = secure ? '__Host-Http-session' : 'session';
  const attributes: CookieAttributes = { secure, sameSite: 'Strict' };
  const sealer = createSealer(keys, 'session');
  const opened = boundedMap<Session>({ limit: REMEMBERED });

  return {
    open(header) {
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
    },
    write(session, header, maxAge) {
      const value = sealer.seal(JSON.stringify(session), name);
      const parts = splitIntoCookies(name, value);
      opened.set(value, session);
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
