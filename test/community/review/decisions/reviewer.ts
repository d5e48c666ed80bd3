import { contract } from '../../../../shared/contract.ts';
import type { ReviewItem } from '../../../../shared/entities/review.ts';
import { flushAll, type TestCommunity } from '../../../support/community.ts';
import { type Answer, ask, dataOf } from '../../ask.ts';
import { decisionOn } from './decision.ts';

/** Calls of administrators in tests, over HTTP. */
export function reviewer({ url, bearer, db }: TestCommunity) {
  const admin = (userId: number) => bearer(userId, 2);
  return {
    list: async (query = '', userId = 1) =>
      dataOf(
        await ask(url, `plugin/audit/list?${query}`, { headers: await admin(userId) }),
        contract.listAudits.data,
      ),
    answer: async (path: string, userId = 1) => ask(url, path, { headers: await admin(userId) }),
    decide: async (body: Record<string, unknown>, userId = 1): Promise<Answer> =>
      ask(url, 'plugin/audit/status', {
        headers: await admin(userId),
        body: await decisionOn(db, body),
      }),
    claim: async (submission_id: number, userId = 1, is_claimed = true): Promise<Answer> =>
      ask(url, 'manager/plugin/audit/claim', {
        method: 'PUT',
        headers: await admin(userId),
        body: { submission_id, is_claimed },
      }),
    /** Runs the background tasks of the service once. */
    settled: () => flushAll(db),
  };
}

export function itemOf(answer: Answer): ReviewItem {
  return dataOf(answer, contract.decideAudit.data);
}
