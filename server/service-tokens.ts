import { createHash } from 'node:crypto';
import type { Parse } from './setting-parsers.ts';

/** Shorter than any secret, so that one in the place of a name is refused. */
const NAME = /^[a-z0-9][a-z0-9-]{0,29}$/;
/** What a Bearer header can hold (RFC 6750 section 2.1), of the length of 128 random bits and more in any spelling. */
const SECRET = /^[\w.~+/-]{32,200}={0,2}$/;

/**
 * `name:secret` pairs, separated by commas; what is kept of a secret is its SHA-256. Messages count the pairs and quote
 * none of them, since the setting may be wrong in any way.
 */
export const serviceTokens: Parse<{ name: string; hash: Buffer }[]> = (value) => {
  const tokens = value.split(',').map((pair, index) => {
    const [name = '', secret = '', ...rest] = pair.trim().split(':');
    const place = `its entry ${index + 1}`;
    if (!NAME.test(name) || rest.length > 0) {
      throw new Error(
        `must hold name:secret pairs, names of 1 to 30 lowercase letters, digits and -; ${place} is none`,
      );
    }
    if (!SECRET.test(secret)) {
      throw new Error(
        `must hold secrets of 32 to 200 letters, digits and . _ ~ + / -; that of ${place} is none`,
      );
    }
    return { name, hash: createHash('sha256').update(secret).digest() };
  });
  if (new Set(tokens.map(({ name }) => name)).size < tokens.length) {
    throw new Error('must give each secret a name of its own, by which the log tells them apart');
  }
  if (new Set(tokens.map(({ hash }) => hash.toString('hex'))).size < tokens.length) {
    throw new Error('must not hold a secret twice');
  }
  return tokens;
};
