import type { PublishResult } from '../../../shared/entities/review.ts';
import type { Db } from '../schema.ts';
import { changePlugin } from './change-plugin.ts';
import { createPlugin } from './create-plugin.ts';
import type { PublishQuotas } from './rules/limits.ts';
import type { Purpose, Submission } from './submission.ts';

export type SubmitParts = { db: Db; quotas: PublishQuotas; now: () => number };

/**
 * Hands a plugin, a version of it or a change of its listing in for review, in one transaction: rights, version, limits
 * and quota are looked at with the plugin and its people locked. What others see of the plugin stays as it is. The same
 * version with the same package, and nothing else new, is a harmless repeat that answers what is there.
 * @param purpose `dry-run` does all of it and takes it back, so that it answers the same
 * @throws PLUGIN_NOT_FOUND, FORBIDDEN, CONFLICT, VERSION_EXISTS, VERSION_NOT_GREATER, PUBLISH_LIMIT_REACHED,
 * QUOTA_EXCEEDED, and what `submission.listing` throws
 */
export async function submit(
  { db, quotas, now }: SubmitParts,
  submission: Submission,
  purpose: Purpose = 'store',
): Promise<PublishResult> {
  const trx = await db.startTransaction().execute();
  try {
    const handingIn = { trx, submission, quotas, at: now(), purpose };
    const { pluginKey } = submission;
    const result = await (pluginKey === null ? createPlugin(handingIn) : changePlugin(handingIn, pluginKey));
    await (purpose === 'store' ? trx.commit() : trx.rollback()).execute();
    return result;
  } catch (error) {
    if (!trx.isCommitted && !trx.isRolledBack) await trx.rollback().execute();
    throw error;
  }
}
