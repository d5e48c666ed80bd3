import { createHash, timingSafeEqual } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import type { Encryptor } from '../encryption/encryptor.ts';

/** Source of cryptographically random bytes, such as node's `randomBytes`. */
export type Random = (bytes: number) => Buffer;

const SECRET_BYTES = 32;

/** A new one-time code or refresh token: 256 bits in base64url, 43 characters. */
export function newSecret(random: Random): string {
  return random(SECRET_BYTES).toString('base64url');
}

/** 32 characters that are hard to confuse; five bits of each random byte choose one. */
export const READABLE = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A secret for people to read and type. */
export function newReadableSecret(random: Random, length: number): string {
  return Array.from(random(length), (byte) => READABLE.charAt(byte % READABLE.length)).join('');
}

/** Secrets are stored as hashes. They have full entropy, so a fast unsalted hash is enough. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Whether a verifier belongs to an S256 challenge (RFC 7636 section 4.6). */
export function isVerifierOf(verifier: string, challenge: string): boolean {
  const actual = Buffer.from(secretHash(verifier).toString('base64url'));
  const expected = Buffer.from(challenge);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** The JSON value of an encrypted text; undefined when it was not encrypted here with this label, or does not fit the schema. */
export function decryptJson<S extends TSchema>(
  encryptor: Encryptor,
  schema: S,
  text: string,
  label: string,
): Static<S> | undefined {
  const decrypted = encryptor.decrypt(text, label);
  const value: unknown = decrypted === undefined ? undefined : JSON.parse(decrypted);
  return Check(schema, value) ? value : undefined;
}
