import { appError } from '../../../http/errors.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { canChangeCollection } from '../../people/policy.ts';
import type { Db } from '../../schema.ts';
import { findEditorsRow } from './editors-store.ts';
import { lockCollection } from './store.ts';

/**
 * Locks a collection whose plugins the caller may change: their own, or for administrators one of the editors.
 * @throws COLLECTION_NOT_FOUND, also for another user's collection
 */
export async function lockChangeable(trx: Db, key: string, caller: Caller) {
  const found = await lockCollection(trx, key);
  if (!found || !canChangeCollection(caller, found)) throw appError('COLLECTION_NOT_FOUND');
  return found;
}

/**
 * Locks a collection of the caller's own.
 * @throws COLLECTION_NOT_FOUND, also for another user's collection and for one of the editors
 */
export async function lockOwnCollection(trx: Db, key: string, caller: Caller) {
  const found = await lockChangeable(trx, key, caller);
  if (found.user_id === null) throw appError('COLLECTION_NOT_FOUND');
  return found;
}

/** Records what an administrator does with the plugins of an editors' collection; users' own are nobody's business. */
export async function recordIfEditors(
  trx: Db,
  { id, user_id }: { id: number; user_id: number | null },
  { caller, detail }: { caller: Caller; detail: Readonly<Record<string, string>> },
): Promise<void> {
  const row = user_id === null ? await findEditorsRow(trx, id) : undefined;
  if (!row) return;
  await recordChange(trx, caller, {
    action: 'editors_collection.change',
    targetKind: 'editors_collection',
    targetId: id,
    targetName: { names: row.title, default_lang: row.default_lang },
    detail,
  });
}
