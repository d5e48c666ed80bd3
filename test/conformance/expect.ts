import { AssertionError } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, Received } from '../support/browser.ts';
import { type Context, NotSeen } from './check.ts';

/** @throws AssertionError with the actual and the expected value */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new AssertionError({ message: `${what}: ${shown(actual)}, not ${shown(expected)}` });
}

export function holds(condition: boolean, what: string): void {
  if (!condition) throw new AssertionError({ message: what });
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 200);
}

/** The value, if the gateway provides it. @throws NotSeen if it does not */
export function seenOnlyWith<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new NotSeen(`needs ${what}`);
  return value;
}

/** Asserts that no request has reached a service since the last reset of the stubs. */
export function untouched({ upstream, identity }: Context, what: string): void {
  same(
    [...upstream.requests, ...identity.requests].map(({ method, target }) => `${method} ${target}`),
    [],
    `${what} reached a service`,
  );
}

/** The session cookies of a browser, as name and value. */
export function sessionCookies(browser: Browser, { dialect }: Context): [string, string][] {
  return [...browser.cookies].filter(([name]) => dialect.sessionCookie.test(name));
}

/** Restores deleted cookies. */
export function putBack(browser: Browser, cookies: readonly [string, string][]): void {
  browser.cookies.clear();
  for (const [name, value] of cookies) browser.cookies.set(name, value);
}

/** Whether the session call reports a session. */
export async function isSignedIn(browser: Browser, { dialect }: Context): Promise<boolean> {
  const answer = await browser.call(dialect.sessionPath);
  same(answer.status, 200, 'status of the session call');
  return answer.json().data?.signed_in === true;
}

export type CookieLine = { name: string; value: string; attributes: Map<string, string> };

/** Parses a Set-Cookie line; attribute names in lower case. */
export function readCookie(line: string): CookieLine {
  const [pair = '', ...rest] = line.split(';').map((part) => part.trim());
  const equals = pair.indexOf('=');
  const attributes = rest.map((part): [string, string] => {
    const [name = '', value = ''] = part.split('=');
    return [name.toLowerCase(), value];
  });
  return { name: pair.slice(0, equals), value: pair.slice(equals + 1), attributes: new Map(attributes) };
}

export function cookiesOf(answer: Received): CookieLine[] {
  return answer.setCookies.map(readCookie);
}

export function isDeletion({ attributes }: CookieLine): boolean {
  const expires = Date.parse(attributes.get('expires') ?? '');
  return attributes.get('max-age') === '0' || expires < Date.now();
}

export function isSecure({ target }: Pick<Context, 'target'>): boolean {
  return target.publicUrl.startsWith('https:');
}

/** A call with a session and a body. */
export const INSTALL = '/api/cmt/plugin/user';
/** A public list. */
export const LIST = '/api/cmt/plugin/list';
/** A help-center call. */
export const ARTICLE = '/api/helpcenter/article';

export function install(browser: Browser, body = '{"plugin_key":"p"}'): Promise<Received> {
  return browser.call(INSTALL, { method: 'POST', body });
}
