import { accountKey } from '../accounts/account-key.ts';
import type { PasswordHasher } from '../accounts/password-hash.ts';
import { findAccountByKey } from '../accounts/store.ts';
import type { IdentityDb } from '../schema.ts';
import type { SignInMethod } from './method.ts';

/** Accounts whose passwords we keep ourselves, found by e-mail address or user name. */
export function localMethod({ db, passwords }: { db: IdentityDb; passwords: PasswordHasher }) {
  return {
    name: 'local',
    authenticate: async ({ account, password }) => {
      const key = accountKey(account);
      const found = key === null ? undefined : await findAccountByKey(db, key);
      return (await passwords.verify(found?.password_hash ?? null, password)) ? found : undefined;
    },
  } satisfies SignInMethod;
}
