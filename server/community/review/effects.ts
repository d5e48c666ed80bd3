import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../shared/constants.ts';
import type { Db } from '../schema.ts';
import { writeLiveListing } from '../submissions/listings.ts';
import type { LockedSubmission } from '../submissions/store.ts';
import {
  findFallbackVersion,
  installTrials,
  isPassedOtherwise,
  readPassedListing,
  type Standing,
  setPluginStanding,
  setVersionStatus,
} from './store.ts';

/**
 * Shows to others what was submitted: its listing, and its version as the current one unless that had passed before,
 * when the publisher may have gone back to an earlier one since. A trial becomes an install. To be called in the
 * transaction that has locked the submission and that writes the decision to it.
 * @param now milliseconds since 1970
 */
export async function passSubmission(trx: Db, submission: LockedSubmission, now: number): Promise<void> {
  const { plugin_id, plugin_version_id, listing, version_status } = submission;
  await writeLiveListing(trx, plugin_id, listing);
  await setVersionStatus(trx, plugin_version_id, AUDIT_PASSED);
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

/** Refuses what waits: what others see stays as it is. */
export async function refuseWaiting(
  trx: Db,
  submission: LockedSubmission,
  { plugin_status, current_version_id }: Standing,
  now: number,
): Promise<void> {
  if (submission.version_status === AUDIT_WAITING) {
    await setVersionStatus(trx, submission.plugin_version_id, AUDIT_REFUSED);
  }
  if (plugin_status !== AUDIT_WAITING) return;
  await setPluginStanding(trx, submission.plugin_id, {
    audit_status: AUDIT_REFUSED,
    current_version_id,
    updated_at: new Date(now),
  });
}

/**
 * Takes back what has passed: the listing that passed before is shown again and, if the version came with it or has
 * passed by it alone, the last other version that others may see. Without such a version the plugin leaves the
 * marketplace. To be called when the submission's row already says that it is refused.
 */
export async function takeBack(
  trx: Db,
  submission: LockedSubmission,
  { brings_version, current_version_id }: Standing,
  now: number,
): Promise<void> {
  const { plugin_id, plugin_version_id } = submission;
  const loses = brings_version || !(await isPassedOtherwise(trx, submission));
  if (loses) await setVersionStatus(trx, plugin_version_id, AUDIT_REFUSED);
  const listing = await readPassedListing(trx, plugin_id);
  if (listing) await writeLiveListing(trx, plugin_id, listing);
  const isShown = current_version_id === plugin_version_id;
  const shown = loses && isShown ? await findFallbackVersion(trx, plugin_id) : current_version_id;
  await setPluginStanding(trx, plugin_id, {
    audit_status: shown === null ? AUDIT_REFUSED : AUDIT_PASSED,
    current_version_id: shown,
    updated_at: new Date(now),
  });
}
