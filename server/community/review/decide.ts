import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../shared/constants.ts';
import type { ReviewItem } from '../../../shared/entities/review.ts';
import { missingFindings } from '../../../shared/package/listing-rules.ts';
import type { BodyOf } from '../../../shared/route.ts';
import type { reviewRoutes } from '../../../shared/routes/review.ts';
import { appError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import { insertNotices } from '../notices/store.ts';
import { rememberPerson } from '../people.ts';
import { plainText } from '../plain-text.ts';
import { findPlugin } from '../plugins/store.ts';
import type { Db } from '../schema.ts';
import { type LockedSubmission, lockSubmission } from '../submissions/store.ts';
import { writeTrail } from '../trail/store.ts';
import { passSubmission, refuseWaiting, takeBack } from './effects.ts';
import { auditItems } from './queue.ts';
import {
  alreadyClaimed,
  alreadyDecided,
  isBarred,
  isClaimedByOther,
  overtaken,
  type Reviewing,
} from './reviewing.ts';
import { findNewest, readLater, readStanding, type Standing, writeVerdict } from './store.ts';

type Body = BodyOf<(typeof reviewRoutes)['decideAudit']>;
type Case = { submission: LockedSubmission; standing: Standing };

/**
 * Approves or refuses a submission, takes back an approved one or approves a refused one. Whoever comes second, or
 * decides what another has claimed, learns who was faster.
 * @throws REASON_REQUIRED, PLUGIN_NOT_FOUND, SUBMISSION_NOT_FOUND, VERSION_NOT_FOUND, OWN_SUBMISSION,
 * ALREADY_DECIDED, ALREADY_CLAIMED, CONFLICT where something newer was submitted or has passed, LISTING_INCOMPLETE for
 * an approval
 */
export async function decideAudit(db: Db, body: Body, reviewing: Reviewing): Promise<ReviewItem> {
  const reason = reasonOf(body.audit_status, body.reason);
  const submissionId = await db.transaction().execute(async (trx) => {
    await rememberPerson(trx, reviewing.caller);
    const found = await findCase(trx, body);
    if (isBarred(found.standing, reviewing)) throw appError('OWN_SUBMISSION');
    await refuseConflicts(trx, found, body, reviewing);
    if (body.audit_status === AUDIT_PASSED) refuseIncomplete(found);
    await decide(trx, found, { auditStatus: body.audit_status, reason }, reviewing);
    return found.submission.id;
  });
  const [item] = await auditItems(db, [submissionId], reviewing);
  if (!item) throw appError('SUBMISSION_NOT_FOUND');
  return item;
}

async function findCase(trx: Db, body: Body): Promise<Case> {
  const plugin = await findPlugin(trx, body.plugin_key);
  if (!plugin) throw appError('PLUGIN_NOT_FOUND');
  const { submission_id: wanted, version } = body;
  const id = wanted ?? (await findNewest(trx, plugin.id, version));
  if (id === undefined) throw appError(version === undefined ? 'SUBMISSION_NOT_FOUND' : 'VERSION_NOT_FOUND');
  const submission = await lockSubmission(trx, id);
  const standing = await readStanding(trx, id);
  if (!submission || !standing || submission.plugin_id !== plugin.id) throw appError('SUBMISSION_NOT_FOUND');
  if (version !== undefined && standing.version !== version) throw appError('VERSION_NOT_FOUND');
  return { submission, standing };
}

async function refuseConflicts(
  trx: Db,
  { submission, standing }: Case,
  { audit_status: wanted, expected_status: expected = AUDIT_WAITING }: Body,
  { caller, now }: Reviewing,
): Promise<void> {
  if (submission.is_superseded) {
    const later = await readLater(trx, submission, [AUDIT_WAITING, AUDIT_PASSED, AUDIT_REFUSED]);
    throw later ? overtaken(later) : appError('CONFLICT');
  }
  const isSettled = submission.audit_status !== expected || submission.audit_status === wanted;
  if (isSettled && submission.audit_status === AUDIT_WAITING) throw appError('CONFLICT');
  if (isSettled) throw alreadyDecided(submission, standing);
  if (isClaimedByOther(standing, caller.user_id, now)) throw alreadyClaimed(standing);
  if (wanted !== AUDIT_PASSED || submission.audit_status !== AUDIT_REFUSED) return;
  const later = await readLater(trx, submission, [AUDIT_PASSED]);
  if (later) throw overtaken(later);
}

/** What earlier releases have let into the queue is not approved before its publisher has completed it. */
function refuseIncomplete({ submission: { listing }, standing }: Case): void {
  const { version_note, brings_version: bringsVersion } = standing;
  const [first, ...others] = missingFindings({ ...listing, version_note }, { bringsVersion });
  if (first) throw appError('LISTING_INCOMPLETE', { details: [first, ...others] });
}

async function decide(
  trx: Db,
  { submission, standing }: Case,
  { auditStatus, reason }: { auditStatus: 2 | 3; reason: string | null },
  { caller, now }: Reviewing,
): Promise<void> {
  const before = submission.audit_status;
  const at = new Date(now);
  await writeVerdict(trx, {
    submissionId: submission.id,
    auditStatus,
    reason,
    reviewerId: caller.user_id,
    at,
  });
  if (auditStatus === AUDIT_PASSED) await passSubmission(trx, submission, now);
  else if (before === AUDIT_PASSED) await takeBack(trx, submission, standing, now);
  else await refuseWaiting(trx, submission, standing, now);
  await note(trx, { submission, standing }, { auditStatus, reason }, caller);
  await tellOfVerdict(trx, { submission, standing }, { auditStatus, reason, at }, caller);
}

/** Tells the plugin's publisher and who submitted, but not the reviewer of what they have decided themselves. */
async function tellOfVerdict(
  trx: Db,
  { submission, standing }: Case,
  { auditStatus, reason, at }: { auditStatus: 2 | 3; reason: string | null; at: Date },
  caller: Caller,
): Promise<void> {
  const { plugin_key, name, version, created_by, publisher_id } = standing;
  const wasPublic = auditStatus === AUDIT_REFUSED && submission.audit_status === AUDIT_PASSED;
  const data = {
    ...{ plugin_key, plugin_name: name, version },
    ...(reason !== null && { reason }),
    ...(wasPublic && { was_public: true }),
  };
  const kind = auditStatus === AUDIT_PASSED ? ('approved' as const) : ('rejected' as const);
  const told = [...new Set([publisher_id, created_by])].filter((userId) => userId !== caller.user_id);
  await insertNotices(
    trx,
    told.map((userId) => ({ userId, kind, data })),
    at,
  );
}

/** A decision's entry names what was decided and why, and whether it was the reviewer's own. */
async function note(
  trx: Db,
  { submission, standing }: Case,
  { auditStatus, reason }: { auditStatus: 2 | 3; reason: string | null },
  caller: Caller,
): Promise<void> {
  const refusal = submission.audit_status === AUDIT_PASSED ? 'submission.take_back' : 'submission.reject';
  await writeTrail(trx, {
    actorId: caller.user_id,
    action: auditStatus === AUDIT_PASSED ? 'submission.approve' : refusal,
    targetKind: 'submission',
    targetId: submission.id,
    targetName: standing.name,
    detail: {
      plugin_key: standing.plugin_key,
      version: standing.version,
      before: submission.audit_status,
      reason,
      own: standing.created_by === caller.user_id,
    },
  });
}

/**
 * The reason as it is stored; an approval may have one too.
 * @throws REASON_REQUIRED for a refusal without one, VALIDATION_FAILED for one that holds control characters
 */
function reasonOf(auditStatus: 2 | 3, reason: string | undefined): string | null {
  const text = plainText(reason ?? '', '/reason');
  if (text !== '') return text;
  if (auditStatus !== AUDIT_REFUSED) return null;
  const message = 'must not be empty';
  throw appError('REASON_REQUIRED', { details: [{ pointer: '/reason', message }] });
}
