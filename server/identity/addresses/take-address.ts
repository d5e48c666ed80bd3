import type { FastifyBaseLogger } from 'fastify';
import type { Transaction } from 'kysely';
import { appError } from '../../http/errors.ts';
import { findOwnerOf } from '../accounts/store.ts';
import type { IdentityTables } from '../schema.ts';
import { acquireAdvisoryLock } from '../store.ts';
import { deleteLinksTo, releaseAddress } from './store.ts';

/**
 * Makes way for whoever proves to own an address by a link: it is taken from all accounts that only say so, which keep
 * their sessions and their user names. The first to prove it keeps it. `userId`: the account that is to own it, if there is
 * one; `takeLink` uses the link up and answers whether it was good.
 * @throws MAIL_LINK_INVALID, ACCOUNT_EXISTS when another account owns it
 */
export async function takeAddress(
  db: Transaction<IdentityTables>,
  {
    emailKey,
    userId,
    takeLink,
  }: { emailKey: string; userId: number | undefined; takeLink: () => Promise<boolean> },
  log: FastifyBaseLogger,
): Promise<void> {
  await acquireAdvisoryLock(db, `address ${emailKey}`);
  if (!(await takeLink())) throw appError('MAIL_LINK_INVALID');
  const owner = await findOwnerOf(db, emailKey);
  if (owner && owner.user_id !== userId) throw appError('ACCOUNT_EXISTS');
  const released = await releaseAddress(db, emailKey, { exceptFor: userId });
  for (const user_id of released) log.warn({ user_id }, 'an address was taken from who had not proved it');
  await deleteLinksTo(db, emailKey);
}
