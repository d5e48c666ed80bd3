import { setPasswordHash } from '../accounts/store.ts';
import { clearGuesses, type Guess } from '../attempts/guesses.ts';
import type { IdentityContext } from '../context.ts';
import type { Account, IdentityDb } from '../schema.ts';
import { deleteLinksOf } from './store.ts';

/** Gives an account a new password. What was open by the old one is void: links, and codes that no session came of yet. */
export async function setPassword(
  db: IdentityDb,
  { user_id }: Account,
  { passwordHash, at }: { passwordHash: string; at: Date },
): Promise<void> {
  await setPasswordHash(db, user_id, { passwordHash, at });
  await deleteLinksOf(db, user_id);
}

/** Ends the lock-out that wrong passwords have brought to who calls, under both names of the account. */
export async function endLockOut(
  identity: IdentityContext,
  owner: Account,
  request: Guess['request'],
): Promise<void> {
  for (const account of [owner.email_key, owner.user_name_key]) {
    if (account !== null) await clearGuesses(identity, { secret: 'sign-in', account, request });
  }
}
