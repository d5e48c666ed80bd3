import type { DecisionConflict } from '../../../shared/entities/backstage.ts';
import type { PublicUser } from '../../../shared/entities/user.ts';
import type { Language } from '../../../shared/languages.ts';
import { appError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import type { LockedSubmission } from '../submissions/store.ts';
import type { Later, Standing } from './store.ts';

/** Who looks or decides, in which language, and when (milliseconds since 1970). */
export type Reviewing = {
  caller: Caller;
  language: Language;
  now: number;
  /** Whether they may decide on what they have submitted themselves (setting REVIEW_OWN_SUBMISSIONS). */
  reviewsOwn: boolean;
};

/** A claim holds this long, milliseconds; who goes on reviewing renews it. */
export const CLAIM_TIME = 15 * 60 * 1000;

/** Whether somebody may not decide on a submission because it is their own; one that a publish token submitted is. */
export function isBarred(
  { created_by }: { created_by: number },
  { caller, reviewsOwn }: Pick<Reviewing, 'caller' | 'reviewsOwn'>,
): boolean {
  return created_by === caller.user_id && !reviewsOwn;
}

/** Whether somebody else is at it. */
export function isClaimedByOther(
  { claimed_by, claimed_until }: Pick<Standing, 'claimed_by' | 'claimed_until'>,
  userId: number,
  now: number,
): boolean {
  if (claimed_by === null || claimed_until === null) return false;
  return claimed_by.user_id !== userId && claimed_until.getTime() > now;
}

/** What a 409 tells: who was faster, and with what. */
export function alreadyDecided({ audit_status }: Pick<LockedSubmission, 'audit_status'>, standing: Standing) {
  const { decided_by, decided_at, reason } = standing;
  return appError('ALREADY_DECIDED', {
    data: conflict(decided_by, decided_at, { audit_status, reason }),
  });
}

export function alreadyClaimed({
  claimed_by,
  claimed_until,
}: Pick<Standing, 'claimed_by' | 'claimed_until'>) {
  const claimedAt = claimed_until && new Date(claimed_until.getTime() - CLAIM_TIME);
  return appError('ALREADY_CLAIMED', { data: conflict(claimed_by, claimedAt) });
}

/** The publisher has submitted something newer, or something newer has passed. */
export function overtaken({ by, at, audit_status }: Later) {
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
