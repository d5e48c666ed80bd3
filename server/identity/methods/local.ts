import { accountKey } from '../accounts/account-key.ts';
import type { PasswordHasher } from '../accounts/password-hash.ts';
import { findAccountByKey } from '../accounts/store.ts';
import type { IdentityDb } from '../schema.ts';
import type { LocalMethod, SignInMethod } from './method.ts';
import type { LocalSettings } from './settings/local.ts';

/** Accounts whose passwords we keep ourselves, found by e-mail address or user name. */
export function localMethod(
  { sign_up: signUp = true }: LocalSettings,
  { db, passwords }: { db: IdentityDb; passwords: PasswordHasher },
): LocalMethod {
  return {
    kind: 'local',
    name: 'local',
    source: 'local',
    label: null,
    signUp,
    authenticate: async ({ account, password }) => {
      const key = accountKey(account);
      const found = key === null ? undefined : await findAccountByKey(db, key);
      return (await passwords.verify(found?.password_hash ?? null, password)) ? found : undefined;
    },
  };
}

/** Whether visitors make accounts of their own in this deployment. */
export function mayEverybodySignUp({ methods }: { methods: readonly SignInMethod[] }): boolean {
  return methods.some((method) => method.kind === 'local' && method.signUp);
}
