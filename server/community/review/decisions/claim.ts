import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { DecisionConflict } from '../../../../shared/entities/backstage.ts';
import type { ReviewItem } from '../../../../shared/entities/review.ts';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import { appError } from '../../../http/errors.ts';
import { canDecide } from '../../people/policy.ts';
import { upsertUser } from '../../people/users.ts';
import type { Db } from '../../schema.ts';
import { recordReviewView } from './detail-store.ts';
import { auditItems, type Reviewing } from './queue.ts';
import {
  type NewerSubmission,
  readNewerSubmission,
  readSnapshot,
  releaseClaim,
  type SubmissionSnapshot,
  takeClaim,
} from './store.ts';

/** Duration of a claim, milliseconds; a reviewer who is still reviewing renews it. */
export const CLAIM_TIME = 15 * 60 * 1000;

/**
 * Claims a submission for review, renews the claim or releases it. For 15 minutes, a claim prevents other reviewers from
 * deciding.
 * @throws SUBMISSION_NOT_FOUND, OWN_SUBMISSION, ALREADY_CLAIMED, ALREADY_DECIDED, CONFLICT for a newer submission
 */
export async function claimAudit(
  db: Db,
  { submission_id: submissionId, is_claimed: isClaimed }: { submission_id: number; is_claimed: boolean },
  reviewing: Reviewing,
): Promise<ReviewItem> {
  const { caller, now } = reviewing;
  const at = new Date(now);
  const claim = { submissionId, userId: caller.user_id, now: at };
  await upsertUser(db, caller);
  const isDone = isClaimed
    ? await takeClaim(db, {
        ...claim,
        until: new Date(now + CLAIM_TIME),
        isOwnBarred: !canDecide(reviewing, { is_own: true }),
      })
    : await releaseClaim(db, claim);
  if (!isDone) throw await claimError(db, submissionId, reviewing);
  if (isClaimed) await recordReviewView(db, { submissionId, userId: caller.user_id, at });
  const [item] = await auditItems(db, [submissionId], reviewing);
  if (!item) throw appError('SUBMISSION_NOT_FOUND');
  return item;
}

async function claimError(db: Db, submissionId: number, reviewing: Reviewing) {
  const snapshot = await readSnapshot(db, submissionId, reviewing.caller.user_id);
  if (!snapshot) return appError('SUBMISSION_NOT_FOUND');
  if (!canDecide(reviewing, snapshot)) return appError('OWN_SUBMISSION');
  if (snapshot.is_superseded) {
    const newer = await readNewerSubmission(db, snapshot, [AUDIT_WAITING, AUDIT_PASSED, AUDIT_REFUSED]);
    return newer ? newerSubmission(newer) : appError('CONFLICT');
  }
  return snapshot.audit_status === AUDIT_WAITING ? alreadyClaimed(snapshot) : alreadyDecided(snapshot);
}

/** Whether another reviewer has claimed the submission. */
export function isClaimedByOther(
  { claimed_by, claimed_until }: Pick<SubmissionSnapshot, 'claimed_by' | 'claimed_until'>,
  userId: number,
  now: number,
): boolean {
  if (claimed_by === null || claimed_until === null) return false;
  return claimed_by.user_id !== userId && claimed_until.getTime() > now;
}

/** 409 with who decided, when and what. */
export function alreadyDecided({ decided_by, decided_at, audit_status, reason }: SubmissionSnapshot) {
  return appError('ALREADY_DECIDED', {
    data: conflict(decided_by, decided_at, { audit_status, reason }),
  });
}

export function alreadyClaimed({
  claimed_by,
  claimed_until,
}: Pick<SubmissionSnapshot, 'claimed_by' | 'claimed_until'>) {
  const claimedAt = claimed_until && new Date(claimed_until.getTime() - CLAIM_TIME);
  return appError('ALREADY_CLAIMED', { data: conflict(claimed_by, claimedAt) });
}

/** 409 with a newer submission, or a newer one that was approved. */
export function newerSubmission({ by, at, audit_status }: NewerSubmission) {
  return appError('CONFLICT', { data: conflict(by, at, { audit_status, reason: null }) });
}

function conflict(
  by: PublicUser | null,
  at: Date | null,
  { audit_status, reason }: Pick<DecisionConflict, 'audit_status' | 'reason'> = {
    audit_status: null,
    reason: null,
  },
): DecisionConflict | undefined {
  return by && at ? { by, at: at.toISOString(), audit_status, reason } : undefined;
}
