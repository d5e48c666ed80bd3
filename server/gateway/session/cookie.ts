import {
  COOKIE_BYTES,
  type CookieAttributes,
  type Cookies,
  cookieLine,
  cookieName,
  deletionLine,
} from '../../http/cookies.ts';
import { boundedMap } from '../../memory/bounded-map.ts';
import { loadKeys } from '../../sealing/keys.ts';
import { createSealer } from '../../sealing/seal.ts';
import { parseSession, type Session } from './session.ts';

export type OpenedCookie = { kind: 'none' } | { kind: 'unusable' } | { kind: 'opened'; session: Session };

export type SessionCookie = {
  open(cookies: Cookies): OpenedCookie;
  /** Characters that the session has encrypted, and how many cookies can hold at most. */
  sizeOf(session: Session): { size: number; limit: number };
  /**
   * Set-Cookie lines that keep the session for `maxAge` milliseconds and delete parts no longer used; none for a session
   * that is too large.
   */
  write(session: Session, cookies: Cookies, maxAge: number): string[];
  /** Set-Cookie lines that delete every part the browser has. */
  clear(cookies: Cookies): string[];
};

/** More of them, and servers and proxies refuse the request's headers. */
const MAX_CHUNKS = 2;

/** Opening costs a decryption, so what was opened is remembered by the cookie's whole value. */
const REMEMBERED = 10_000;

/** Keys that encrypt sessions: the configured ones, or one generated once into the data folder (design section 4). */
export function loadSessionKeys(given: { configured: readonly Buffer[]; dataDir: string }): Buffer[] {
  return loadKeys({ ...given, fileName: 'session-keys' });
}

/** Name of the cookie, or of its first part. `secure`: the site is https. */
export function sessionCookieName(secure: boolean): string {
  return cookieName('session', secure);
}

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
  const limit = roomIn(name, attributes);

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
    open(cookies) {
      if (cookies !== latest.cookies) latest = { cookies, found: decrypt(cookies) };
      return latest.found;
    },
    sizeOf: (session) => ({ size: sealer.seal(JSON.stringify(session), name).length, limit }),
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

function chunkName(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index}`;
}

/** Characters of a value that the part of this name can hold. */
function roomOf(name: string, attributes: CookieAttributes): number {
  return COOKIE_BYTES - cookieLine(name, '', Number.MAX_SAFE_INTEGER, attributes).length;
}

/** Characters of a value that all parts can hold; the number of parts takes two. */
function roomIn(name: string, attributes: CookieAttributes): number {
  const names = Array.from({ length: MAX_CHUNKS }, (_, index) => chunkName(name, index));
  return names.reduce((sum, part) => sum + roomOf(part, attributes), -2);
}

/**
 * A value as one or more cookies. The first one starts with their number, so that a lost part is seen. Undefined for a
 * value that does not fit into the cookies a browser would send.
 */
export function splitIntoCookies(
  name: string,
  value: string,
  attributes: CookieAttributes,
): { name: string; value: string }[] | undefined {
  const parts: { name: string; value: string }[] = [];
  let rest = `0.${value}`;
  while (rest !== '') {
    if (parts.length === MAX_CHUNKS) return undefined;
    const partName = chunkName(name, parts.length);
    const room = roomOf(partName, attributes);
    parts.push({ name: partName, value: rest.slice(0, room) });
    rest = rest.slice(room);
  }
  return parts.map((part, index) =>
    index === 0 ? { ...part, value: `${parts.length}${part.value.slice(1)}` } : part,
  );
}

/**
 * The value put together again: undefined without the cookie, null when it is not whole, or when the name of any part,
 * stale ones included, was sent twice.
 */
export function joinCookies(cookies: Cookies, name: string): string | null | undefined {
  const names = namesOf(cookies, name);
  if (names.length === 0) return undefined;
  if (names.some((part) => cookies[part] === '')) return null;
  const first = cookies[name] ?? '';
  const count = /^([1-9])\./.exec(first)?.[1];
  if (count === undefined || Number(count) > MAX_CHUNKS) return null;
  let value = first.slice(2);
  for (let index = 1; index < Number(count); index += 1) {
    const part = cookies[chunkName(name, index)];
    if (part === undefined) return null;
    value += part;
  }
  return value;
}

/** Names among the browser's cookies that are parts of this one, stale ones included. */
export function namesOf(cookies: Cookies, name: string): string[] {
  const isPart = (found: string) =>
    found === name || (found.startsWith(`${name}-`) && /^\d{1,2}$/.test(found.slice(name.length + 1)));
  return Object.keys(cookies).filter(isPart);
}
