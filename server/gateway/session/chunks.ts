import { COOKIE_BYTES, type CookieAttributes, type Cookies, cookieLine } from '../../http/cookies.ts';

/** More of them, and servers and proxies refuse the request's headers. */
const MAX_CHUNKS = 2;

function chunkName(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index}`;
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
    const room = COOKIE_BYTES - cookieLine(partName, '', Number.MAX_SAFE_INTEGER, attributes).length;
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
