import type { FastifyBaseLogger } from 'fastify';
import type { Transaction } from 'kysely';
import { appError } from '../../http/errors.ts';
import type { IdentityTables } from '../schema.ts';
import { acquireAdvisoryLock } from '../store.ts';
import { deleteLinksTo, releaseAddress } from './address-store.ts';
import { findOwnerOf } from './store.ts';

/**
 * Reserves an address for the account that verifies it with a link: it is removed from all accounts that have not verified
 * it, which keep their sessions and user names. The first to verify an address owns it. `userId`: the account that verifies
 * it, undefined at sign-up; `consume` returns whether the link was valid.
 * @throws MAIL_LINK_INVALID, ACCOUNT_EXISTS when another account has verified the address
 */
export async function claimAddress(
  db: Transaction<IdentityTables>,
  {
    emailKey,
    userId,
    consume,
  }: { emailKey: string; userId: number | undefined; consume: () => Promise<boolean> },
  log: FastifyBaseLogger,
): Promise<void> {
  await acquireAdvisoryLock(db, `address ${emailKey}`);
  if (!(await consume())) throw appError('MAIL_LINK_INVALID');
  const owner = await findOwnerOf(db, emailKey);
  if (owner && owner.user_id !== userId) throw appError('ACCOUNT_EXISTS');
  const released = await releaseAddress(db, emailKey, { exceptFor: userId });
  for (const user_id of released)
    log.warn({ user_id }, 'address removed from an account that had not verified it');
  await deleteLinksTo(db, emailKey);
}
