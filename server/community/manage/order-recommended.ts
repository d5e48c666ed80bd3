import { appError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import { rememberPerson } from '../people/store.ts';
import { refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { writeTrail } from '../trail/store.ts';
import { lockRecommended, readRecommendedKeys, writeRecommendedOrder } from './store.ts';

/**
 * Puts the recommended plugins in order; all of them are to be named.
 * @throws VALIDATION_FAILED for a key that is named twice; CONFLICT when others are recommended by now
 */
export async function orderRecommended(db: Db, pluginKeys: readonly string[], caller: Caller): Promise<void> {
  const wanted = new Set(pluginKeys);
  if (wanted.size < pluginKeys.length) throw refusedAt('/plugin_keys', 'must not contain duplicate items');
  await db.transaction().execute(async (trx) => {
    await lockRecommended(trx);
    const keys = await readRecommendedKeys(trx);
    if (keys.length !== wanted.size || keys.some((key) => !wanted.has(key))) throw appError('CONFLICT');
    if (keys.every((key, index) => key === pluginKeys[index])) return;
    await writeRecommendedOrder(trx, pluginKeys);
    await rememberPerson(trx, caller);
    await writeTrail(trx, {
      actorId: caller.user_id,
      action: 'recommendation.order',
      targetKind: 'recommendation',
      targetId: '',
      targetName: '',
      detail: { count: pluginKeys.length },
    });
  });
}
