import { setPasswordHash } from '../accounts/store.ts';
import { clearAttempts } from '../attempts/attempt-limit.ts';
import type { IdentityContext } from '../context.ts';
import { updateAccount } from '../members/store.ts';
import type { Account, IdentityDb } from '../schema.ts';
import { deleteLinksOf } from './store.ts';

/** Gives an account a new password. What was open by the old one is void: links, and codes that no session came of yet. */
export async function setPassword(
  db: IdentityDb,
  { user_id }: Account,
  { passwordHash, at }: { passwordHash: string; at: Date },
): Promise<void> {
  await setPasswordHash(db, user_id, passwordHash);
  await updateAccount(db, user_id, { signed_out_at: at });
  await deleteLinksOf(db, user_id);
}

/** Ends the lock-out that wrong passwords have brought, under both names of the account. */
export async function endLockOut(identity: IdentityContext, account: Account): Promise<void> {
  for (const name of [account.email_key, account.user_name_key]) {
    if (name !== null) await clearAttempts(identity, { limit: 'sign-in account', of: name });
  }
}
