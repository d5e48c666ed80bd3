import { createHash, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readPrivateKey } from './http/client-credentials.ts';

/** Parses the text of a setting. Throws an Error whose message follows the setting's name. */
export type Parse<T> = (text: string) => T;

export const text: Parse<string> = (value) => value;

/** JSON, or the path of a JSON file. */
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

/** A number of processes. */
export const count: Parse<number> = (value) => {
  if (!/^[1-9]\d?$/.test(value)) throw new Error('must be a whole number from 1 to 99');
  return Number(value);
};

/** A non-negative number such as 0, 0.5 or 20. */
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

/** The same, or 0s. */
export const pause: Parse<number> = (value) => {
  if (value === '0' || value === '0s') return 0;
  return duration(value);
};

/** Days such as 7d, up to a maximum; 0 for none. */
export function wholeDays(max: number): Parse<number> {
  return (value) => {
    const [, days] = /^(\d{1,3})d$/.exec(value === '0' ? '0d' : value) ?? [];
    if (days === undefined || Number(days) > max) {
      throw new Error(`must be a number of days such as 7d, at most ${max}d`);
    }
    return Number(days);
  };
}

/** A rate such as 3/1m; `window` in milliseconds. */
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
export const encryptionKey: Parse<Buffer> = (value) => {
  const key = Buffer.from(value, 'base64url');
  if (key.length !== 32) throw new Error('must hold keys of 32 bytes in base64url, separated by commas');
  return key;
};

/** An RSA, EC or Ed25519 private key in PEM, or the path of its file. */
export const privateKey: Parse<KeyObject> = (value) => {
  try {
    return readPrivateKey(value.includes('-----BEGIN') ? value : readFileSync(value, 'utf8'));
  } catch {
    throw new Error('must be a private key in PEM (RSA, EC or Ed25519), or a file that holds one');
  }
};

/** The same, of the kind that signs bundles and approvals. */
export const signingKey: Parse<KeyObject> = (value) => {
  const key = privateKey(value);
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new Error('must be an Ed25519 private key');
};

/** Shorter than any secret, so that a secret in place of a name is refused. */
const SERVICE_NAME = /^[a-z0-9][a-z0-9-]{0,29}$/;
/** Characters of a Bearer header (RFC 6750 section 2.1), and at least as many as 128 random bits need in hexadecimal. */
const SERVICE_SECRET = /^[\w.~+/-]{32,200}={0,2}$/;

/**
 * `name:secret` pairs, separated by commas; only the SHA-256 of a secret is stored. Messages contain the position of a
 * wrong pair, never its text, which may be a secret.
 */
export const serviceTokens: Parse<{ name: string; hash: Buffer }[]> = (value) => {
  const tokens = value.split(',').map((pair, index) => {
    const [name = '', secret = '', ...rest] = pair.trim().split(':');
    const place = `its entry ${index + 1}`;
    if (!SERVICE_NAME.test(name) || rest.length > 0) {
      throw new Error(
        `must hold name:secret pairs, names of 1 to 30 lowercase letters, digits and -; ${place} is not one`,
      );
    }
    if (!SERVICE_SECRET.test(secret)) {
      throw new Error(
        `must hold secrets of 32 to 200 letters, digits and . _ ~ + / -; that of ${place} is not one`,
      );
    }
    return { name, hash: createHash('sha256').update(secret).digest() };
  });
  if (new Set(tokens.map(({ name }) => name)).size < tokens.length) {
    throw new Error('must give each secret its own name, which the log shows');
  }
  if (new Set(tokens.map(({ hash }) => hash.toString('hex'))).size < tokens.length) {
    throw new Error('must not contain a secret twice');
  }
  return tokens;
};
