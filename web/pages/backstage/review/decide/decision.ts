import type { AUDIT_PASSED, AUDIT_REFUSED } from '../../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { call } from '../../../../api/client.ts';

export type Verdict = typeof AUDIT_PASSED | typeof AUDIT_REFUSED;

/** Decides a submission, unless its status is no longer the one that was seen. */
export function decide(item: ReviewItem, verdict: Verdict, reason: string): Promise<ReviewItem> {
  return call('decideAudit', {
    plugin_key: item.plugin.plugin_key,
    submission_id: item.submission_id,
    audit_status: verdict,
    expected_status: item.audit_status,
    ...(reason !== '' && { reason }),
  });
}
