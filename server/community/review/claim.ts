import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../shared/constants.ts';
import type { ReviewItem } from '../../../shared/entities/review.ts';
import { appError } from '../../http/errors.ts';
import { rememberPerson } from '../people.ts';
import type { Db } from '../schema.ts';
import { noteOpening } from './detail-store.ts';
import { auditItems } from './queue.ts';
import {
  alreadyClaimed,
  alreadyDecided,
  CLAIM_TIME,
  isBarred,
  overtaken,
  type Reviewing,
} from './reviewing.ts';
import { dropClaim, readClaimed, readLater, readStanding, takeClaim } from './store.ts';

/**
 * Takes a submission for review, renews that, or lets go of it. A claim keeps others from deciding for a quarter of an
 * hour and then means nothing.
 * @throws SUBMISSION_NOT_FOUND, OWN_SUBMISSION, ALREADY_CLAIMED, ALREADY_DECIDED, CONFLICT where something newer was submitted
 */
export async function claimAudit(
  db: Db,
  { submission_id: submissionId, is_claimed: isClaimed }: { submission_id: number; is_claimed: boolean },
  reviewing: Reviewing,
): Promise<ReviewItem> {
  const { caller, now, reviewsOwn } = reviewing;
  const at = new Date(now);
  const claim = { submissionId, userId: caller.user_id, now: at };
  await rememberPerson(db, caller);
  const isDone = isClaimed
    ? await takeClaim(db, { ...claim, until: new Date(now + CLAIM_TIME), isOwnBarred: !reviewsOwn })
    : await dropClaim(db, claim);
  if (!isDone) throw await reasonOfFailure(db, submissionId, reviewing);
  if (isClaimed) await noteOpening(db, { submissionId, userId: caller.user_id, at });
  const [item] = await auditItems(db, [submissionId], reviewing);
  if (!item) throw appError('SUBMISSION_NOT_FOUND');
  return item;
}

async function reasonOfFailure(db: Db, submissionId: number, reviewing: Reviewing) {
  const submission = await readClaimed(db, submissionId);
  const standing = await readStanding(db, submissionId);
  if (!submission || !standing) return appError('SUBMISSION_NOT_FOUND');
  if (isBarred(standing, reviewing)) return appError('OWN_SUBMISSION');
  if (submission.is_superseded) {
    const later = await readLater(db, submission, [AUDIT_WAITING, AUDIT_PASSED, AUDIT_REFUSED]);
    return later ? overtaken(later) : appError('CONFLICT');
  }
  return submission.audit_status === AUDIT_WAITING
    ? alreadyClaimed(standing)
    : alreadyDecided(submission, standing);
}
