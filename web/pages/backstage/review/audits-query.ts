import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../shared/entities/review.ts';
import { infiniteQueryOptionsOf, queryOptionsOf } from '../../../api/queries.ts';
import { type ListFilter, payloadOf } from '../filters/list-filter.ts';
import { screenPath } from '../frame/screens.ts';

/** Milliseconds between refetches of a list, as other reviewers claim and decide submissions. */
const REFETCH_INTERVAL_MS = 30_000;

/** The review list of a filter, page by page. */
export const auditsQuery = (filter: ListFilter) =>
  infiniteQueryOptionsOf(
    'listAudits',
    { ...payloadOf(filter), limit: BACKSTAGE_PAGE_SIZE },
    { staleTime: 0, refetchOnWindowFocus: true, refetchInterval: REFETCH_INTERVAL_MS },
  );

/** One submission with all its review data. */
export const auditQuery = (submissionId: number) =>
  queryOptionsOf('readAudit', { submission_id: submissionId }, { staleTime: 0 });

/** Path of a submission's review view; `search` is that of the list it was opened from. */
export function auditPath({ submission_id }: Pick<ReviewItem, 'submission_id'>, search: string): string {
  return `${screenPath('audit-list', String(submission_id))}${search}`;
}
