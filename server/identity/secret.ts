import { createHash } from 'node:crypto';

/** Source of unpredictable bytes; node's `randomBytes` fits. */
export type Random = (bytes: number) => Buffer;

const SECRET_BYTES = 32;

/** A new one-time code or refresh token: 256 bits in base64url, 43 characters. */
export function newSecret(random: Random): string {
  return random(SECRET_BYTES).toString('base64url');
}

/** What is stored of a secret. It has full entropy, so a fast unsalted hash is enough. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
