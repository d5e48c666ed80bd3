import { cookieNames, cookieValue } from '../cookies.ts';

/** What browsers keep of one cookie: bytes of its name and value (RFC 6265bis section 5.6). */
const COOKIE_BYTES = 4096;
/** All parts together stay below 8 KB, or servers and proxies refuse the request's headers. */
const MAX_CHUNKS = 2;
const TOTAL_BYTES = 8000;

function chunkName(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index}`;
}

/**
 * A value as one or more cookies. The first one starts with their number, so that a lost part is seen.
 * @throws RangeError when the value does not fit into the cookies a browser would send.
 */
export function splitIntoCookies(name: string, value: string): { name: string; value: string }[] {
  const parts: { name: string; value: string }[] = [];
  let rest = `0.${value}`;
  while (rest !== '') {
    const partName = chunkName(name, parts.length);
    const size = COOKIE_BYTES - partName.length;
    parts.push({ name: partName, value: rest.slice(0, size) });
    rest = rest.slice(size);
  }
  const [first] = parts;
  const total = parts.reduce((sum, part) => sum + part.name.length + part.value.length, 0);
  if (!first || parts.length > MAX_CHUNKS || total > TOTAL_BYTES) {
    throw new RangeError(`a session of ${value.length} bytes does not fit into cookies`);
  }
  first.value = `${parts.length}${first.value.slice(1)}`;
  return parts;
}

/** The value put together again: undefined without the cookie, null when it is not whole. */
export function joinCookies(header: string | undefined, name: string): string | null | undefined {
  const first = cookieValue(header, name);
  if (first === undefined) return namesOf(header, name).length > 0 ? null : undefined;
  const count = /^([1-9])\./.exec(first)?.[1];
  if (count === undefined || Number(count) > MAX_CHUNKS) return null;
  let value = first.slice(2);
  for (let index = 1; index < Number(count); index += 1) {
    const part = cookieValue(header, chunkName(name, index));
    if (part === undefined) return null;
    value += part;
  }
  return value;
}

/** Names among the browser's cookies that are parts of this one, stale ones included. */
export function namesOf(header: string | undefined, name: string): string[] {
  if (!header?.includes(name)) return [];
  const isPart = (found: string) =>
    found === name || (found.startsWith(`${name}-`) && /^\d{1,2}$/.test(found.slice(name.length + 1)));
  return cookieNames(header).filter(isPart);
}
