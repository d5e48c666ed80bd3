import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { Db } from '../../schema.ts';
import { writeLiveListing } from '../../submissions/live-listing.ts';
import type { LockedSubmission } from '../../submissions/store.ts';
import {
  findFallbackVersion,
  isPassedOtherwise,
  readPassedListing,
  type Standing,
  setPluginStanding,
  setVersionStatus,
} from './store.ts';

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
