import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { AUDIT_WAITING } from '../../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { call } from '../../../../api/client.ts';
import { auditQuery } from '../audits-query.ts';
import { claimedByOther } from '../what-it-is.ts';

/** Well before a claim runs out, milliseconds. */
const RENEW_AFTER = 5 * 60_000;

/** Claims and decisions are sent one after another, so that none overtakes the one before. */
export const REVIEW_SCOPE = { id: 'review' };

/**
 * Takes a submission that waits for as long as it is looked at, and lets go of it afterwards. Where somebody else had
 * it on opening, nothing is taken before `takeOver`, which is of use once that claim has ended.
 */
export function useClaim(submissionId: number, item: ReviewItem | undefined, me: number | undefined) {
  const queryClient = useQueryClient();
  const [hasYielded, setHasYielded] = useState(false);
  const isWaiting = item?.audit_status === AUDIT_WAITING;
  const other = item && isWaiting ? claimedByOther(item, me) : undefined;
  if (other && !hasYielded) setHasYielded(true);
  const wants = isWaiting && !item.is_barred && !other && !hasYielded;
  const { mutate } = useMutation({
    scope: REVIEW_SCOPE,
    mutationFn: (isClaimed: boolean) =>
      call('claimAudit', { submission_id: submissionId, is_claimed: isClaimed }),
    onError: () => queryClient.invalidateQueries({ queryKey: auditQuery(submissionId).queryKey }),
    onSettled: (_item, _error, isClaimed) => {
      if (!isClaimed) void queryClient.invalidateQueries({ queryKey: ['listAudits'] });
    },
  });
  useEffect(() => {
    if (!wants) return;
    mutate(true);
    const timer = setInterval(() => mutate(true), RENEW_AFTER);
    return () => {
      clearInterval(timer);
      mutate(false);
    };
  }, [wants, mutate]);
  return {
    other,
    mayTakeOver: isWaiting && !item.is_barred && hasYielded && !other,
    takeOver: () => setHasYielded(false),
  };
}
