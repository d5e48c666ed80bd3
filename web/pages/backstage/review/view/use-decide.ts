import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { decide, type Verdict } from '../decide/decision.ts';
import { REVIEW_SCOPE } from './use-claim.ts';

/** What a decision shows in. */
const CHANGED = ['readAudit', 'listAudits', 'listManagedPlugins'] as const;

/** Decides the submission on screen; when that came to nothing, what is known of it is read again. */
export function useDecide(item: ReviewItem, onDecided: (item: ReviewItem) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    scope: REVIEW_SCOPE,
    mutationFn: ({ verdict, reason = '' }: { verdict: Verdict; reason?: string }) =>
      decide(item, verdict, reason),
    onSuccess: onDecided,
    onSettled: () => {
      for (const operation of CHANGED) void queryClient.invalidateQueries({ queryKey: [operation] });
    },
  });
}
