import { resolve } from 'node:path';

/** Reads one setting's text; throws an Error whose message completes "NAME …". */
export type Parse<T> = (text: string) => T;

export const text: Parse<string> = (value) => value;

export const flag: Parse<boolean> = (value) => {
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new Error('must be true or false');
};

export const path: Parse<string> = (value) => resolve(value);

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
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error('must be an http or https address');
  }
  return url.href.replace(/\/+$/, '');
};

/** An origin: scheme, host and port alone. */
export const origin: Parse<string> = (value) => {
  const href = httpUrl(value);
  if (new URL(href).origin !== href)
    throw new Error('must be an origin such as https://example.org, without a path');
  return href;
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

/** A 32-byte key in base64url (or base64). */
export const sealingKey: Parse<Buffer> = (value) => {
  const key = Buffer.from(value, 'base64url');
  if (key.length !== 32) throw new Error('must hold keys of 32 bytes in base64url, separated by commas');
  return key;
};

/** An address or CIDR range of a proxy in front; a number of hops is refused because it can be forged. */
export const proxyAddress: Parse<string> = (value) => {
  const known = ['loopback', 'linklocal', 'uniquelocal'].includes(value);
  if (!known && !/^[0-9a-fA-F:.]{3,45}(\/\d{1,3})?$/.test(value)) {
    throw new Error('must hold addresses or ranges such as 10.0.0.0/8, never a number of hops');
  }
  return value;
};
