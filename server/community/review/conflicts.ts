import type { DecisionConflict } from '../../../shared/entities/backstage.ts';
import type { PublicUser } from '../../../shared/entities/user.ts';
import { appError } from '../../http/errors.ts';
import type { LockedSubmission } from '../submissions/store.ts';
import { CLAIM_TIME } from './claim/claim-time.ts';
import type { Later, Standing } from './decide/store.ts';

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

/** Whether somebody else is at it. */
export function isClaimedByOther(
  { claimed_by, claimed_until }: Pick<Standing, 'claimed_by' | 'claimed_until'>,
  userId: number,
  now: number,
): boolean {
  if (claimed_by === null || claimed_until === null) return false;
  return claimed_by.user_id !== userId && claimed_until.getTime() > now;
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
