import { AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { AuditItem } from '../../../../shared/entities/review.ts';

/** Text of the namespace `review` that says what was handed in. */
export function whatItIs({ is_first, brings_version }: AuditItem) {
  if (is_first) return 'is_new_plugin';
  return brings_version ? 'is_new_version' : 'is_listing_change';
}

/** Who else is at it, or undefined. */
export function claimedByOther({ claimed_by }: AuditItem, me: number | undefined) {
  return claimed_by && claimed_by.user_id !== me ? claimed_by : undefined;
}

/** Whether this can be decided together with others. */
export function isDecidable(item: AuditItem, me: number | undefined): boolean {
  return item.audit_status === AUDIT_WAITING && claimedByOther(item, me) === undefined;
}
