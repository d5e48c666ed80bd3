import { appError } from '../../../http/errors.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { isCollector } from '../../people/policy.ts';
import type { Db } from '../../schema.ts';
import { lockCollection } from './store.ts';

/**
 * Locks a collection of the caller's own.
 * @throws COLLECTION_NOT_FOUND, also for another user's collection
 */
export async function lockOwnCollection(trx: Db, key: string, caller: Caller) {
  const found = await lockCollection(trx, key);
  if (!found || !isCollector(caller, found)) throw appError('COLLECTION_NOT_FOUND');
  return found;
}
