import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import { writeLiveListing } from '../../catalogue/submissions/listings.ts';
import type { LockedSubmission } from '../../catalogue/submissions/store.ts';
import type { Db } from '../../schema.ts';
import {
  findFallbackVersion,
  installTrials,
  isApprovedByOther,
  publishVersion,
  readApprovedListing,
  type SubmissionSnapshot,
  setPluginStatus,
  setVersionStatus,
} from './store.ts';

/**
 * Publishes the listing of a submission, and makes its version the current one unless it was approved before, since the
 * publisher may have returned to an earlier version, or is withdrawn. Trials become installs. Call it in the transaction that locked
 * the submission and writes the decision.
 * @param now milliseconds since 1970
 */
export async function approveSubmission(trx: Db, submission: LockedSubmission, now: number): Promise<void> {
  const { plugin_id, plugin_version_id, listing, version_status } = submission;
  await writeLiveListing(trx, plugin_id, listing);
  await setVersionStatus(trx, plugin_version_id, AUDIT_PASSED);
  await publishVersion(trx, {
    pluginId: plugin_id,
    versionId: plugin_version_id,
    isNew: version_status !== AUDIT_PASSED,
    at: new Date(now),
  });
  await installTrials(trx, plugin_id, new Date(now));
}

/** Refuses a waiting submission; the published plugin does not change. */
export async function rejectSubmission(
  trx: Db,
  submission: LockedSubmission,
  { plugin_status, current_version_id }: SubmissionSnapshot,
  now: number,
): Promise<void> {
  if (submission.version_status === AUDIT_WAITING) {
    await setVersionStatus(trx, submission.plugin_version_id, AUDIT_REFUSED);
  }
  if (plugin_status !== AUDIT_WAITING) return;
  await setPluginStatus(trx, submission.plugin_id, {
    audit_status: AUDIT_REFUSED,
    current_version_id,
    updated_at: new Date(now),
  });
}

/**
 * Revokes the approval of a submission: the listing approved before it is published again. If its version came with it or
 * was approved by it alone, the last other approved version becomes current; without one, the plugin leaves the
 * marketplace. Call it after the submission's row is set to refused.
 * @returns whether the version is approved no more
 */
export async function revokeApproval(
  trx: Db,
  submission: LockedSubmission,
  { brings_version, current_version_id }: SubmissionSnapshot,
  now: number,
): Promise<boolean> {
  const { plugin_id, plugin_version_id } = submission;
  const losesVersion = brings_version || !(await isApprovedByOther(trx, submission));
  if (losesVersion) await setVersionStatus(trx, plugin_version_id, AUDIT_REFUSED);
  const listing = await readApprovedListing(trx, plugin_id);
  if (listing) await writeLiveListing(trx, plugin_id, listing);
  const isCurrent = current_version_id === plugin_version_id;
  const current = losesVersion && isCurrent ? await findFallbackVersion(trx, plugin_id) : current_version_id;
  await setPluginStatus(trx, plugin_id, {
    audit_status: current === null ? AUDIT_REFUSED : AUDIT_PASSED,
    current_version_id: current,
    updated_at: new Date(now),
  });
  return losesVersion;
}
