import { appError } from '../../http/errors.ts';
import { countAttempt, forgiveAttempt, type Subject } from '../attempts/attempt-limit.ts';
import { networkAddress } from '../attempts/network-address.ts';
import type { IdentityContext } from '../context.ts';
import type { Account } from '../schema.ts';
import { endLockOut } from './set-password.ts';

/**
 * Has who is signed in prove to know the password. A wrong one counts like one at sign-in. `pointer`: where it was typed.
 * @throws PASSWORD_ELSEWHERE, TOO_MANY_REQUESTS, PASSWORD_WRONG at `pointer`
 */
export async function provePassword(
  identity: IdentityContext,
  account: Account,
  { typed, ip, pointer }: { typed: string; ip: string; pointer: string },
): Promise<void> {
  const { email_key, user_name_key, password_hash } = account;
  if (password_hash === null) throw appError('PASSWORD_ELSEWHERE');
  const address: Subject = { limit: 'sign-in address', of: networkAddress(ip) };
  await countAttempt(identity, address);
  await countAttempt(identity, { limit: 'sign-in account', of: email_key ?? user_name_key });
  if (!(await identity.passwords.verify(password_hash, typed))) {
    throw appError('PASSWORD_WRONG', { details: [{ pointer, message: 'is wrong' }] });
  }
  await endLockOut(identity, account);
  await forgiveAttempt(identity, address);
}
