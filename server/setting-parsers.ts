import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

/** Reads one setting's text; throws an Error whose message completes "NAME …". */
export type Parse<T> = (text: string) => T;

export const text: Parse<string> = (value) => value;

/** JSON itself, or the file that holds it. */
export const textOrFile: Parse<string> = (value) => {
  if (/^[[{]/.test(value)) return value;
  try {
    return readFileSync(value, 'utf8');
  } catch {
    throw new Error('must be JSON, or a file that can be read');
  }
};

export const flag: Parse<boolean> = (value) => {
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new Error('must be true or false');
};

export const path: Parse<string> = (value) => resolve(value);

/** A colour as #rrggbb. */
export const color: Parse<string> = (value) => {
  if (!/^#[0-9a-f]{6}$/i.test(value)) throw new Error('must be a colour such as #00694b');
  return value.toLowerCase();
};

export const port: Parse<number> = (value) => {
  const number = Number(value);
  if (!/^\d{1,5}$/.test(value) || number > 65535) throw new Error('must be a port number from 0 to 65535');
  return number;
};

export function oneOf<const T extends string>(...choices: readonly T[]): Parse<T> {
  return (value) => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return found;
  };
}

export function list<T>(parse: Parse<T>): Parse<T[]> {
  return (value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(parse);
}

/** An http or https address without a trailing slash, query or credentials. */
export const httpUrl: Parse<string> = (value) => {
  if (/[?#]/.test(value)) throw new Error('must be an http or https address');
  return queryUrl(value);
};

/** The same with a query, to which parameters are added. */
export const queryUrl: Parse<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash) {
    throw new Error('must be an http or https address');
  }
  return url.search ? url.href : url.href.replace(/\/+$/, '');
};

/** An address of a page on the web, with its query and fragment. */
export const webAddress: Parse<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new Error('must be an http or https address');
  }
  return url.href;
};

/** An issuer identifier (OpenID Connect Discovery 1.0), kept letter by letter: providers compare it so. */
export const issuer: Parse<string> = (value) => {
  httpUrl(value);
  return value;
};

/** An origin: scheme, host and port alone. */
export const origin: Parse<string> = (value) => {
  const href = httpUrl(value);
  if (new URL(href).origin !== href)
    throw new Error('must be an origin such as https://example.org, without a path');
  return href;
};

/** Address of a Redis: redis or rediss (TLS), with its credentials and number of a database, or the path of a socket. */
export const redisUrl: Parse<string> = (value) => {
  if (value.startsWith('/')) return value;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (
    !url ||
    !/^rediss?:$/.test(url.protocol) ||
    url.hostname === '' ||
    !/^(?:\/\d{0,3})?$/.test(url.pathname)
  ) {
    throw new Error('must be an address such as redis://localhost:6379, or the path of a socket');
  }
  return value;
};

/** A number of processes. */
export const count: Parse<number> = (value) => {
  if (!/^[1-9]\d?$/.test(value)) throw new Error('must be a whole number from 1 to 99');
  return Number(value);
};

/** A number that is not negative, such as 0, 0.5 or 20. */
export const factor: Parse<number> = (value) => {
  if (!/^\d{1,6}(?:\.\d{1,3})?$/.test(value)) throw new Error('must be a number from 0 up');
  return Number(value);
};

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time such as 30s, 15m, 12h or 7d, in milliseconds. */
export const duration: Parse<number> = (value) => {
  const [, amount, unit] = /^(\d{1,9})([smhd])$/.exec(value) ?? [];
  const factor = UNITS[unit ?? ''];
  if (amount === undefined || factor === undefined || Number(amount) === 0) {
    throw new Error('must be a time such as 30s, 15m, 12h or 7d');
  }
  return Number(amount) * factor;
};

/** A time as above, or none: 0s. */
export const pause: Parse<number> = (value) => {
  if (value === '0' || value === '0s') return 0;
  return duration(value);
};

/** So many times within a time, such as 3/1m; the time in milliseconds. */
export const limit: Parse<{ max: number; window: number }> = (value) => {
  const [, max, window] = /^(\d{1,6})\/(\w+)$/.exec(value) ?? [];
  if (max === undefined || window === undefined || Number(max) === 0 || !/^\d{1,9}[smhd]$/.test(window)) {
    throw new Error('must hold limits such as 3/1m, 10/1h or 24/1d, separated by commas');
  }
  return { max: Number(max), window: duration(window) };
};

const SIZE_UNITS: Readonly<Record<string, number>> = { kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30, tb: 2 ** 40 };

/** A size such as 500mb or 1gb, in bytes. */
export const size: Parse<number> = (value) => {
  const [, amount, unit] = /^(\d{1,6})([kmgt]b)$/.exec(value.toLowerCase()) ?? [];
  const factor = SIZE_UNITS[unit ?? ''];
  if (amount === undefined || factor === undefined || Number(amount) === 0) {
    throw new Error('must be a size such as 500mb or 1gb');
  }
  return Number(amount) * factor;
};

/** A 32-byte key in base64url (or base64). */
export const sealingKey: Parse<Buffer> = (value) => {
  const key = Buffer.from(value, 'base64url');
  if (key.length !== 32) throw new Error('must hold keys of 32 bytes in base64url, separated by commas');
  return key;
};

/** An address or CIDR range of a proxy in front; a number of hops is refused because it can be forged. */
export const proxyAddress: Parse<string> = (value) => {
  const known = ['loopback', 'linklocal', 'uniquelocal'].includes(value);
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  const isRange =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
  if (!known && (version === 0 || !isRange || rest.length > 0)) {
    throw new Error('must hold addresses or ranges such as 10.0.0.0/8, never a number of hops');
  }
  return value;
};
