import { AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../shared/entities/review.ts';

/** Text of the namespace `review` that names the kind of submission. */
export function submissionKind({ is_first, brings_version }: ReviewItem) {
  if (is_first) return 'is_new_plugin';
  return brings_version ? 'is_new_version' : 'is_listing_change';
}

/** Another reviewer who has claimed it, or undefined. */
export function otherReviewer({ claimed_by }: ReviewItem, me: number | undefined) {
  return claimed_by && claimed_by.user_id !== me ? claimed_by : undefined;
}

/** Whether it is pending and not claimed by another reviewer. */
export function isDecidable(item: ReviewItem, me: number | undefined): boolean {
  return item.audit_status === AUDIT_WAITING && !item.is_barred && otherReviewer(item, me) === undefined;
}

/** The next unclaimed submission of a queue; starts over at the end. */
export function nextUnclaimed(
  queue: readonly ReviewItem[],
  submissionId: number,
  me: number | undefined,
): ReviewItem | undefined {
  const index = queue.findIndex(({ submission_id }) => submission_id === submissionId);
  const rotated = [...queue.slice(index + 1), ...queue.slice(0, Math.max(index, 0))];
  return rotated.find((item) => isDecidable(item, me));
}
