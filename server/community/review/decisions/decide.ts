import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../shared/entities/review.ts';
import { missingFindings } from '../../../../shared/package/listing-rules.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { reviewRoutes } from '../../../../shared/routes/review.ts';
import { appError } from '../../../http/errors.ts';
import { findPlugin } from '../../catalogue/plugins/store.ts';
import { type LockedSubmission, lockSubmission } from '../../catalogue/submissions/store.ts';
import { recordApproval, type Signing } from '../../catalogue/transparency/approvals.ts';
import { appendToLog } from '../../catalogue/transparency/log-store.ts';
import { writeAuditLog } from '../../people/audit-log/store.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { insertNotices, noticeNames } from '../../people/notices/store.ts';
import { canDecide } from '../../people/policy.ts';
import { upsertUser } from '../../people/users.ts';
import { plainText } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { alreadyClaimed, alreadyDecided, isClaimedByOther, newerSubmission } from './claim.ts';
import { approveSubmission, rejectSubmission, revokeApproval } from './effects.ts';
import { auditItems, type Reviewing } from './queue.ts';
import { insertDecision, readNewerSubmission, readSnapshot, type SubmissionSnapshot } from './store.ts';

type Body = BodyOf<(typeof reviewRoutes)['decideAudit']>;
type Case = { submission: LockedSubmission; snapshot: SubmissionSnapshot };

/**
 * Approves or refuses a submission, revokes an approval or approves a refused submission. The approval of a version is signed,
 * and in the log like its end.
 * @throws REASON_REQUIRED, PLUGIN_NOT_FOUND, SUBMISSION_NOT_FOUND, VERSION_NOT_FOUND, OWN_SUBMISSION; ALREADY_DECIDED and
 * ALREADY_CLAIMED with the other reviewer; CONFLICT for a newer submission; LISTING_INCOMPLETE for an approval
 */
export async function decideAudit(
  { db, signing }: { db: Db; signing: Signing },
  body: Body,
  reviewing: Reviewing,
): Promise<ReviewItem> {
  const reason = reasonOf(body.audit_status, body.reason);
  const submissionId = await db.transaction().execute(async (trx) => {
    await upsertUser(trx, reviewing.caller);
    const found = await lockCase(trx, body, reviewing.caller);
    if (!canDecide(reviewing, found.snapshot)) throw appError('OWN_SUBMISSION');
    await checkConflicts(trx, found, body, reviewing);
    if (body.audit_status === AUDIT_PASSED) checkComplete(found);
    const changed = await decide(trx, found, { auditStatus: body.audit_status, reason }, reviewing);
    await recordChange(trx, found, changed, { signing, at: new Date(reviewing.now) });
    return found.submission.id;
  });
  const [item] = await auditItems(db, [submissionId], reviewing);
  if (!item) throw appError('SUBMISSION_NOT_FOUND');
  return item;
}

async function lockCase(trx: Db, body: Body, { user_id: reviewerId }: Caller): Promise<Case> {
  const plugin = await findPlugin(trx, body.plugin_key);
  if (!plugin) throw appError('PLUGIN_NOT_FOUND');
  const submission = await lockSubmission(trx, body.submission_id);
  const snapshot = await readSnapshot(trx, body.submission_id, reviewerId);
  if (!submission || !snapshot || submission.plugin_id !== plugin.id) throw appError('SUBMISSION_NOT_FOUND');
  if (snapshot.version !== body.version) throw appError('VERSION_NOT_FOUND');
  return { submission, snapshot };
}

async function checkConflicts(
  trx: Db,
  { submission, snapshot }: Case,
  { audit_status: wanted, expected_status: expected = AUDIT_WAITING }: Body,
  { caller, now }: Reviewing,
): Promise<void> {
  if (submission.is_superseded) {
    const newer = await readNewerSubmission(trx, submission, [AUDIT_WAITING, AUDIT_PASSED, AUDIT_REFUSED]);
    throw newer ? newerSubmission(newer) : appError('CONFLICT');
  }
  const isDecided = submission.audit_status !== expected || submission.audit_status === wanted;
  if (isDecided && submission.audit_status === AUDIT_WAITING) throw appError('CONFLICT');
  if (isDecided) throw alreadyDecided(snapshot);
  if (isClaimedByOther(snapshot, caller.user_id, now)) throw alreadyClaimed(snapshot);
  if (wanted !== AUDIT_PASSED || submission.audit_status !== AUDIT_REFUSED) return;
  const newer = await readNewerSubmission(trx, submission, [AUDIT_PASSED]);
  if (newer) throw newerSubmission(newer);
}

/** A submission that is incomplete by the rules of today can only be approved when its publisher has completed it. */
function checkComplete({ submission: { listing }, snapshot }: Case): void {
  const { version_note, brings_version: includesVersion } = snapshot;
  const [first, ...others] = missingFindings(
    { ...listing, version_note },
    { includesVersion: includesVersion },
  );
  if (first) throw appError('LISTING_INCOMPLETE', { details: [first, ...others] });
}

/** What a decision changes for the version; null if it stays approved, or is not approved. */
type VersionChange = 'approve' | 'revoke' | null;

async function recordChange(
  trx: Db,
  { submission, snapshot: { plugin_key: pluginKey, version } }: Case,
  change: VersionChange,
  { signing, at }: { signing: Signing; at: Date },
): Promise<void> {
  if (change === 'approve') await recordApproval(trx, signing, submission.plugin_version_id, at);
  if (change === 'revoke') await appendToLog(trx, [{ kind: change, pluginKey, version }], at);
}

async function decide(
  trx: Db,
  { submission, snapshot }: Case,
  { auditStatus, reason }: { auditStatus: 2 | 3; reason: string | null },
  { caller, now }: Reviewing,
): Promise<VersionChange> {
  const before = submission.audit_status;
  const at = new Date(now);
  await insertDecision(trx, {
    submissionId: submission.id,
    auditStatus,
    reason,
    reviewerId: caller.user_id,
    at,
  });
  let change: VersionChange = null;
  if (auditStatus === AUDIT_PASSED) {
    await approveSubmission(trx, submission, now);
    if (submission.version_status !== AUDIT_PASSED) change = 'approve';
  } else if (before === AUDIT_PASSED) {
    if (await revokeApproval(trx, submission, snapshot, now)) change = 'revoke';
  } else await rejectSubmission(trx, submission, snapshot, now);
  await recordDecision(trx, { submission, snapshot }, { auditStatus, reason }, caller);
  await notifyPublisher(trx, { submission, snapshot }, { auditStatus, reason, at }, caller);
  return change;
}

/** Notifies the plugin's publisher and the submitter, but not the reviewer. */
async function notifyPublisher(
  trx: Db,
  { submission, snapshot }: Case,
  { auditStatus, reason, at }: { auditStatus: 2 | 3; reason: string | null; at: Date },
  caller: Caller,
): Promise<void> {
  const { plugin_key, version, created_by, publisher_id } = snapshot;
  const wasPublic = auditStatus === AUDIT_REFUSED && submission.audit_status === AUDIT_PASSED;
  const data = {
    plugin_key,
    ...noticeNames(snapshot),
    version,
    ...(reason !== null && { reason }),
    ...(wasPublic && { was_public: true }),
  };
  const kind = auditStatus === AUDIT_PASSED ? ('approved' as const) : ('rejected' as const);
  const notified = [...new Set([publisher_id, created_by])].filter((userId) => userId !== caller.user_id);
  await insertNotices(
    trx,
    notified.map((userId) => ({ userId, kind, data })),
    at,
  );
}

/** Records the decision in the audit log, with its reason and whether it was on the reviewer's own submission. */
async function recordDecision(
  trx: Db,
  { submission, snapshot }: Case,
  { auditStatus, reason }: { auditStatus: 2 | 3; reason: string | null },
  caller: Caller,
): Promise<void> {
  const refused = submission.audit_status === AUDIT_PASSED ? 'submission.take_back' : 'submission.reject';
  await writeAuditLog(trx, {
    actorId: caller.user_id,
    action: auditStatus === AUDIT_PASSED ? 'submission.approve' : refused,
    targetKind: 'submission',
    targetId: submission.id,
    targetName: snapshot,
    detail: {
      plugin_key: snapshot.plugin_key,
      version: snapshot.version,
      before: submission.audit_status,
      reason,
      own: snapshot.is_own,
    },
  });
}

/**
 * The reason to store, which is optional for an approval.
 * @throws REASON_REQUIRED for a refusal without one, VALIDATION_FAILED for one that holds control characters
 */
function reasonOf(auditStatus: 2 | 3, reason: string | undefined): string | null {
  const text = plainText(reason ?? '', '/reason');
  if (text !== '') return text;
  if (auditStatus !== AUDIT_REFUSED) return null;
  const message = 'must not be empty';
  throw appError('REASON_REQUIRED', { details: [{ pointer: '/reason', message }] });
}
