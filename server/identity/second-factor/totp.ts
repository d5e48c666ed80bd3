import { Secret, TOTP } from 'otpauth';
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
