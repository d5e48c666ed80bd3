import type { Role } from '../../../shared/entities/user.ts';
import { appError } from '../../http/errors.ts';
import type { Account, IdentityDb } from '../schema.ts';
import type { Random } from '../secret.ts';
import { accountKey } from './account-fields.ts';
import { emailIsTaken, insertAccount } from './store.ts';

type NewAccount = {
  email: string;
  /** Null without an e-mail address. */
  email_key: string | null;
  /** When the user proved to own the address; left out while it is only said so. */
  email_verified_at?: Date;
  nick_name: string;
  /** Null for a user who signs in elsewhere only. */
  password_hash: string | null;
  mobile?: string;
  avatar_url?: string;
  /** Given when it is free; made up otherwise. */
  user_name?: string;
  role?: Role;
  channel?: string;
  tencent_docs?: boolean;
};

const USER_NAME_BYTES = 6;
const TRIES = 3;

/**
 * Stores an account. User names are made up, not taken from the address: nobody can claim `admin` by signing up as
 * admin@example.org, and no name tells an address.
 * @throws ACCOUNT_EXISTS when the e-mail address has an account already
 */
export async function createAccount(
  db: IdentityDb,
  { random, now }: { random: Random; now: () => number },
  account: NewAccount,
): Promise<Account> {
  let user_name = account.user_name ?? madeUpName(random);
  for (let tried = 0; tried < TRIES; tried += 1) {
    const stored = await insertAccount(db, {
      ...account,
      user_name,
      user_name_key: accountKey(user_name) ?? user_name,
      nick_name_key: accountKey(account.nick_name) ?? '',
      created_at: new Date(now()),
    });
    if (stored) return stored;
    if (account.email_key !== null && (await emailIsTaken(db, account.email_key)))
      throw appError('ACCOUNT_EXISTS');
    user_name = madeUpName(random);
  }
  throw new Error('no free user name was found');
}

function madeUpName(random: Random): string {
  return `user_${random(USER_NAME_BYTES).toString('hex')}`;
}
