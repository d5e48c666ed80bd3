import { createHash, timingSafeEqual } from 'node:crypto';

/** Source of unpredictable bytes; node's `randomBytes` fits. */
export type Random = (bytes: number) => Buffer;

const SECRET_BYTES = 32;

/** A new one-time code or refresh token: 256 bits in base64url, 43 characters. */
export function newSecret(random: Random): string {
  return random(SECRET_BYTES).toString('base64url');
}

/** 32 characters that nobody mistakes for one another, so that five bits of each random byte choose one. */
export const READABLE = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A secret that people read and type. */
export function newReadableSecret(random: Random, length: number): string {
  return Array.from(random(length), (byte) => READABLE.charAt(byte % READABLE.length)).join('');
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
