import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { decide, type Verdict } from './decision.ts';
import { type DecisionProblem, problemOf } from './problem.ts';

/** What came of each submission, by its id; one without an entry is still to come. */
export type Outcomes = ReadonlyMap<number, 'done' | DecisionProblem>;

/** Decides one submission after another; what cannot be decided does not keep the others from it. */
export function useBulkDecision() {
  const queryClient = useQueryClient();
  const [phase, setPhase] = useState<'asking' | 'running' | 'over'>('asking');
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const run = async (items: readonly ReviewItem[], verdict: Verdict, reason: string): Promise<void> => {
    setPhase('running');
    for (const item of items) {
      const outcome = await decide(item, verdict, reason).then((): 'done' => 'done', problemOf);
      setOutcomes((before) => new Map(before).set(item.submission_id, outcome));
    }
    setPhase('over');
    await queryClient.invalidateQueries({ queryKey: ['listAudits'] });
  };
  return { phase, outcomes, run };
}
