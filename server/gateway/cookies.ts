/** The pairs of a Cookie header in their order (RFC 6265 section 4.2.1). */
function* pairs(header: string): Generator<[name: string, value: string]> {
  for (const part of header.split(';')) {
    const equals = part.indexOf('=');
    if (equals !== -1) yield [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
  }
}

/** Value of a cookie; of two with one name the first wins, which is the one with the narrower path. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  if (header === undefined || !header.includes(name)) return undefined;
  for (const [found, value] of pairs(header)) if (found === name) return value;
  return undefined;
}

/** Names of the cookies a browser has sent. */
export function cookieNames(header: string | undefined): string[] {
  return header === undefined ? [] : [...new Set([...pairs(header)].map(([name]) => name))];
}

export type CookieAttributes = {
  secure: boolean;
  sameSite: 'Strict' | 'Lax' | 'None';
  /** Kept apart for each embedding site (CHIPS); goes with SameSite=None. */
  partitioned?: boolean;
};

/** A Set-Cookie line for the whole host, out of reach of scripts. `maxAge` in milliseconds; 0 deletes. */
export function setCookie(name: string, value: string, maxAge: number, attributes: CookieAttributes): string {
  const seconds = Math.max(0, Math.floor(maxAge / 1000));
  const { secure, sameSite, partitioned } = attributes;
  return [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(secure ? ['Secure'] : []),
    ...(partitioned ? ['Partitioned'] : []),
  ].join('; ');
}

/** Deletes a cookie: the attributes must be those it was set with, or browsers keep a `__Host-` cookie. */
export function deleteCookie(name: string, attributes: CookieAttributes): string {
  return setCookie(name, '', 0, attributes);
}
