import { fastifyCookie } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/**
 * The cookies of a request by name, percent-decoded. If a name was sent twice, the first counts, which has the narrower
 * path; under `__Host-` the value is empty, so that it cannot be decrypted.
 */
export type Cookies = FastifyRequest['cookies'];

export type CookieAttributes = {
  /** The site uses https. */
  secure: boolean;
  sameSite: 'strict' | 'lax' | 'none';
  /** Separate for each embedding site (CHIPS); only with `none`. */
  partitioned?: boolean;
};

/** Only the host can set such a cookie, for every path (RFC 6265bis section 4.1.3). Needs https. */
const HOST_PREFIX = '__Host-';

/** Bytes of a Set-Cookie line. The limit is 4,096, in which some browsers and proxies count attributes. */
export const COOKIE_BYTES = 3800;

/** With more chunks servers and proxies would refuse the request headers as too large (R 9.4). */
const MAX_CHUNKS = 2;

/** The cookie name with a prefix that prevents other hosts and (in browsers that know it) scripts from setting it. */
export function cookieName(name: string, secure: boolean): string {
  return secure ? `${HOST_PREFIX}Http-${name}` : name;
}

/** Decorates requests with `cookies`. Must be registered before the first hook that reads them. */
export const cookies = fp(
  async (app: FastifyInstance) => {
    await app.register(fastifyCookie);
    app.addHook('onRequest', ({ cookies, headers }, _reply, done) => {
      if (headers.cookie?.includes(HOST_PREFIX)) {
        for (const name of ambiguousNames(headers.cookie)) cookies[name] = '';
      }
      done();
    });
  },
  { name: 'cookies' },
);

/** `__Host-` names sent more than once: one cookie was planted, and it is unknown which. */
function ambiguousNames(header: string): Set<string> {
  const once = new Set<string>();
  const more = new Set<string>();
  // A semicolon always ends a cookie, so each part can be parsed separately.
  const names = header.split(';').flatMap((part) => Object.keys(fastifyCookie.parse(part)));
  for (const name of names.filter((found) => found.startsWith(HOST_PREFIX))) {
    if (once.has(name)) more.add(name);
    once.add(name);
  }
  return more;
}

/** An HttpOnly Set-Cookie line for the whole host. `maxAge` in milliseconds; 0 deletes. @throws TypeError */
export function cookieLine(
  name: string,
  value: string,
  maxAge: number,
  attributes: CookieAttributes,
): string {
  const seconds = Math.max(0, Math.floor(maxAge / 1000));
  return fastifyCookie.serialize(name, value, { ...attributes, path: '/', maxAge: seconds, httpOnly: true });
}

/** The same for a cookie that the browser forgets at its end. */
export function sessionCookieLine(name: string, value: string, attributes: CookieAttributes): string {
  return fastifyCookie.serialize(name, value, { ...attributes, path: '/', httpOnly: true });
}

/** Sets a cookie as `cookieLine` does; the last call for a name counts. `maxAge` in milliseconds. */
export function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  maxAge: number,
  attributes: CookieAttributes,
): void {
  const seconds = Math.max(0, Math.floor(maxAge / 1000));
  reply.setCookie(name, value, { ...attributes, path: '/', maxAge: seconds, httpOnly: true });
}

/** Deletes a cookie; needs its original attributes, or browsers keep a `__Host-` cookie. */
export function deletionLine(name: string, attributes: CookieAttributes): string {
  return cookieLine(name, '', 0, attributes);
}

/** Adds Set-Cookie lines immediately, not in `onSend` as `reply.setCookie`; the last of a name counts. */
export function setCookies(reply: FastifyReply, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const existing = [reply.getHeader('set-cookie') ?? []].flat().map(String);
  const byName = new Map([...existing, ...lines].map((line) => [line.slice(0, line.indexOf('=')), line]));
  reply.removeHeader('set-cookie').header('set-cookie', [...byName.values()]);
}

function chunkName(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index}`;
}

/** Maximum value length of one chunk. */
function chunkLength(name: string, attributes: CookieAttributes): number {
  return COOKIE_BYTES - cookieLine(name, '', Number.MAX_SAFE_INTEGER, attributes).length;
}

/** Maximum value length of all chunks; two characters are used for the number of chunks. */
export function maxValueLength(name: string, attributes: CookieAttributes): number {
  const names = Array.from({ length: MAX_CHUNKS }, (_, index) => chunkName(name, index));
  return names.reduce((sum, chunk) => sum + chunkLength(chunk, attributes), -2);
}

/** Splits a value into chunks; the first has their number. Undefined above the cookie size limit. */
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
    const length = chunkLength(partName, attributes);
    parts.push({ name: partName, value: rest.slice(0, length) });
    rest = rest.slice(length);
  }
  return parts.map((part, index) =>
    index === 0 ? { ...part, value: `${parts.length}${part.value.slice(1)}` } : part,
  );
}

/** Joins chunks. Undefined without the cookie; null if a chunk is missing or any name was sent twice. */
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

/** The names of all chunks that the browser sent, including stale ones. */
export function namesOf(cookies: Cookies, name: string): string[] {
  const isPart = (found: string) =>
    found === name || (found.startsWith(`${name}-`) && /^\d{1,2}$/.test(found.slice(name.length + 1)));
  return Object.keys(cookies).filter(isPart);
}
