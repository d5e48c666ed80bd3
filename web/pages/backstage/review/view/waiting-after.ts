import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { isDecidable } from '../what-it-is.ts';

/** The next of a queue that nobody else has; from its beginning when there is none behind. */
export function waitingAfter(
  queue: readonly ReviewItem[],
  submissionId: number,
  me: number | undefined,
): ReviewItem | undefined {
  const place = queue.findIndex(({ submission_id }) => submission_id === submissionId);
  const inTurn = [...queue.slice(place + 1), ...queue.slice(0, Math.max(place, 0))];
  return inTurn.find((item) => isDecidable(item, me));
}
