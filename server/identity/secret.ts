import { createHash, timingSafeEqual } from 'node:crypto';

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

/** Whether a challenge was made of this verifier, by S256 (RFC 7636 section 4.6). */
export function isVerifierOf(verifier: string, challenge: string): boolean {
  const made = Buffer.from(secretHash(verifier).toString('base64url'));
  const expected = Buffer.from(challenge);
  return made.length === expected.length && timingSafeEqual(made, expected);
}
