import { AUDIT_ALL } from '../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../shared/entities/review.ts';
import type { Language } from '../../../../shared/languages.ts';
import type { DataOf, QueryOf } from '../../../../shared/route.ts';
import type { reviewRoutes } from '../../../../shared/routes/review.ts';
import { readIdPage } from '../../catalogue/ordered-list/page.ts';
import { toAuditItem } from '../../catalogue/submissions/items.ts';
import { queueOrder, readSubmissionRows, type SubmissionRow } from '../../catalogue/submissions/store.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { canDecide } from '../../people/policy.ts';
import type { Db } from '../../schema.ts';
import { readTotals } from '../../tally.ts';

/** The reviewer, their language, and the current time (milliseconds since 1970). */
export type Reviewing = {
  caller: Caller;
  language: Language;
  now: number;
  /** Whether they may decide on their own submissions (setting REVIEW_OWN_SUBMISSIONS). */
  reviewsOwn: boolean;
};

type Route = (typeof reviewRoutes)['listAudits'];

/**
 * A page of the review list.
 * @throws TAG_NOT_FOUND, BAD_CURSOR
 */
export async function listAudits(
  db: Db,
  query: QueryOf<Route>,
  reviewing: Reviewing,
): Promise<DataOf<Route>> {
  const { audit_status: status = AUDIT_ALL } = query;
  const totals = readTotals(db, ['submission 1', 'submission 2', 'submission 3']);
  const total = async () => totalOf(await totals, status);
  const [page, counted] = await Promise.all([
    readIdPage(db, { name: ['audits', status], order: queueOrder(status), total }, query),
    totals,
  ]);
  return {
    total: page.total,
    total_estimated: page.total_estimated,
    waiting: counted['submission 1'],
    submitted: totalOf(counted, AUDIT_ALL),
    next_cursor: page.next_cursor,
    audit_list: await auditItems(db, page.ids, reviewing),
  };
}

export async function auditItems(
  db: Db,
  submissionIds: readonly number[],
  reviewing: Reviewing,
): Promise<ReviewItem[]> {
  if (submissionIds.length === 0) return [];
  const rows = await readSubmissionRows(db, submissionIds, reviewing.caller.user_id);
  return rows.map((row) => toReviewItem(row, reviewing));
}

export function toReviewItem(row: SubmissionRow, reviewing: Reviewing): ReviewItem {
  const { language, now } = reviewing;
  return {
    ...toAuditItem(row, language, now),
    is_own: row.is_own,
    is_barred: !canDecide(reviewing, row),
    is_opened: row.is_opened,
  };
}

function totalOf(totals: Readonly<Record<`submission ${1 | 2 | 3}`, number>>, status: number): number {
  const all = [totals['submission 1'], totals['submission 2'], totals['submission 3']];
  return all
    .filter((_, index) => status === AUDIT_ALL || status === index + 1)
    .reduce((sum, n) => sum + n, 0);
}
