import { AUDIT_PASSED } from '../../../shared/constants.ts';
import type { Db } from '../schema.ts';
import { writeLiveListing } from './live-listing.ts';
import { installTrials, type LockedSubmission } from './store.ts';

/**
 * Shows to others what was submitted: its listing, and its version as the current one unless that had passed before,
 * when the publisher may have gone back to an earlier one since. A trial becomes an install. To be called in the
 * transaction that has locked the submission and that writes the decision to it.
 * @param now milliseconds since 1970
 */
export async function passSubmission(trx: Db, submission: LockedSubmission, now: number): Promise<void> {
  const { plugin_id, plugin_version_id, listing, version_status } = submission;
  await writeLiveListing(trx, plugin_id, listing);
  await trx
    .updateTable('plugin_version')
    .set({ audit_status: AUDIT_PASSED })
    .where('id', '=', plugin_version_id)
    .execute();
  await trx
    .updateTable('plugin')
    .set(({ ref, fn, val }) => ({
      audit_status: AUDIT_PASSED,
      updated_at: new Date(now),
      current_version_id:
        version_status === AUDIT_PASSED
          ? fn.coalesce(ref('current_version_id'), val(plugin_version_id))
          : plugin_version_id,
    }))
    .where('id', '=', plugin_id)
    .execute();
  await installTrials(trx, plugin_id, new Date(now));
}
