import { fastifyCookie } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/**
 * What a browser has sent, by name, percent-decoded. Of two with one name the first, which has the narrower path; under
 * `__Host-` neither: the name is there with an empty value, from which nothing encrypted opens.
 */
export type Cookies = FastifyRequest['cookies'];

export type CookieAttributes = {
  /** The site is https. */
  secure: boolean;
  sameSite: 'strict' | 'lax' | 'none';
  /** Kept apart for each embedding site (CHIPS); goes with `none`. */
  partitioned?: boolean;
};

/**
 * Browsers let such a cookie be set by its own host alone, for every path (RFC 6265bis section 4.1.3). On plain http
 * there is no prefix. Every host of the site can set a cookie there that comes alone, so refusing two protects nobody.
 */
const HOST_PREFIX = '__Host-';

/** Bytes of a Set-Cookie line. Browsers keep 4,096 of name and value; some, and proxies, count the attributes as well. */
export const COOKIE_BYTES = 3800;

/** More of them for one value, and servers and proxies refuse the request's headers. */
const MAX_CHUNKS = 2;

/** The name of a cookie that no other host and, where browsers know the prefix, no script may set. */
export function cookieName(name: string, secure: boolean): string {
  return secure ? `${HOST_PREFIX}Http-${name}` : name;
}

/** Gives every request its `cookies`. To be called before the first hook that reads them. */
export async function readCookies(app: FastifyInstance): Promise<void> {
  await app.register(fastifyCookie);
  app.addHook('onRequest', ({ cookies, headers }, _reply, done) => {
    if (headers.cookie?.includes(HOST_PREFIX)) {
      for (const name of ambiguousNames(headers.cookie)) cookies[name] = '';
    }
    done();
  });
}

/** `readCookies` as a plugin. */
export const cookies = fp(readCookies, { name: 'cookies' });

/**
 * Names under `__Host-` that came more than once. A browser that holds to the prefix has one cookie of such a name, so
 * one of the two is planted, and nothing says which.
 */
function ambiguousNames(header: string): Set<string> {
  const once = new Set<string>();
  const more = new Set<string>();
  // A semicolon ends a cookie wherever it stands, so each part alone has the name that it has in the whole.
  const names = header.split(';').flatMap((part) => Object.keys(fastifyCookie.parse(part)));
  for (const name of names.filter((found) => found.startsWith(HOST_PREFIX))) {
    if (once.has(name)) more.add(name);
    once.add(name);
  }
  return more;
}

/**
 * A Set-Cookie line for the whole host, out of reach of scripts. `maxAge` in milliseconds; 0 deletes.
 * @throws TypeError for a name that no cookie can have
 */
export function cookieLine(
  name: string,
  value: string,
  maxAge: number,
  attributes: CookieAttributes,
): string {
  const seconds = Math.max(0, Math.floor(maxAge / 1000));
  return fastifyCookie.serialize(name, value, { ...attributes, path: '/', maxAge: seconds, httpOnly: true });
}

/** Sets a cookie as `cookieLine` writes it; of two for one name the later counts. `maxAge` in milliseconds. */
export function putCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  maxAge: number,
  attributes: CookieAttributes,
): void {
  const seconds = Math.max(0, Math.floor(maxAge / 1000));
  reply.setCookie(name, value, { ...attributes, path: '/', maxAge: seconds, httpOnly: true });
}

/** Deletes a cookie: the attributes must be those it was set with, or browsers keep a `__Host-` cookie. */
export function dropCookie(reply: FastifyReply, name: string, attributes: CookieAttributes): void {
  putCookie(reply, name, '', 0, attributes);
}

/** Deletes a cookie: the attributes must be those it was set with, or browsers keep a `__Host-` cookie. */
export function deletionLine(name: string, attributes: CookieAttributes): string {
  return cookieLine(name, '', 0, attributes);
}

/**
 * Adds lines to an answer; of two for one name the later counts. They are written at once, for replies that never come to
 * `onSend`, where `reply.setCookie` writes, and for those that are asked before whether they set any.
 */
export function setCookies(reply: FastifyReply, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const former = [reply.getHeader('set-cookie') ?? []].flat().map(String);
  const byName = new Map([...former, ...lines].map((line) => [line.slice(0, line.indexOf('=')), line]));
  reply.removeHeader('set-cookie').header('set-cookie', [...byName.values()]);
}

function chunkName(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index}`;
}

/** Characters of a value that the part of this name can hold. */
function roomOf(name: string, attributes: CookieAttributes): number {
  return COOKIE_BYTES - cookieLine(name, '', Number.MAX_SAFE_INTEGER, attributes).length;
}

/** Characters of a value that all parts can hold; the number of parts takes two. */
export function roomInCookies(name: string, attributes: CookieAttributes): number {
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
