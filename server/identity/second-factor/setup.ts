import type { IdentityContext } from '../context.ts';
import type { Account } from '../schema.ts';
import { newTotpSecret, totpAddress } from './totp.ts';

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
