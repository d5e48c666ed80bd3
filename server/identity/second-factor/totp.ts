import { Secret, TOTP } from 'otpauth';
import { appError } from '../../http/errors.ts';
import type { IdentityContext } from '../context.ts';
import type { Account } from '../schema.ts';
import type { Random } from '../secret.ts';

/** What every authenticator app understands (RFC 6238): SHA-1, six digits, a new code each 30 seconds. */
const KIND = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** RFC 4226 section 4 asks for as many bytes as the hash has. */
const SECRET_BYTES = 20;
/** Steps by which the clock of a telephone may be wrong, either way. */
const WINDOW = 1;

/** A new secret in base32, as apps take it. */
export function newTotpSecret(random: Random): string {
  return new Secret({ buffer: new Uint8Array(random(SECRET_BYTES)).buffer }).base32;
}

/** The address that a QR code hands to an authenticator app. */
export function totpAddress(
  secret: string,
  { issuer, account }: { issuer: string; account: string },
): string {
  return new TOTP({ ...KIND, secret, issuer, label: account }).toString();
}

/** The step of time that six digits belong to; undefined when they belong to none near `at` (milliseconds since 1970). */
export function stepOf(secret: string, digits: string, at: number): number | undefined {
  const distance = TOTP.validate({
    ...KIND,
    token: digits,
    secret: Secret.fromBase32(secret),
    timestamp: at,
    window: WINDOW,
  });
  return distance === null ? undefined : TOTP.counter({ period: KIND.period, timestamp: at }) + distance;
}

/** What an authenticator app needs: the secret to type, and the address to draw as a QR code. */
export type SetUp = { secret: string; address: string };

/** A new secret. Apps show it under the site's host name and the account. */
export function newSetUp(
  { random, publicUrl }: Pick<IdentityContext, 'random' | 'publicUrl'>,
  { email, user_name }: Pick<Account, 'email' | 'user_name'>,
): SetUp {
  const secret = newTotpSecret(random);
  const issuer = new URL(publicUrl).hostname;
  return { secret, address: totpAddress(secret, { issuer, account: email || user_name }) };
}

/** A secret as it is stored. The account is bound to it: moved to another one it opens no more. */
export function encryptSecret(
  { encryptor }: Pick<IdentityContext, 'encryptor'>,
  userId: number,
  secret: string,
): string {
  return encryptor.encrypt(secret, labelOf(userId));
}

/** @throws SERVICE_UNAVAILABLE when the key that it was encrypted with is gone; recovery codes still work then */
export function decryptSecret(
  { encryptor }: Pick<IdentityContext, 'encryptor'>,
  userId: number,
  encryptedSecret: string,
): string {
  const secret = encryptor.decrypt(encryptedSecret, labelOf(userId));
  if (secret !== undefined) return secret;
  throw appError('SERVICE_UNAVAILABLE', {
    cause: new Error('a second factor does not open: the key that it was encrypted with is gone'),
  });
}

const labelOf = (userId: number): string => `second factor of ${userId}`;
