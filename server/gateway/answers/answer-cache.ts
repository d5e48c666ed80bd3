import { boundedMap } from '../bounded-map.ts';
import { answerWeight, type SharedAnswer } from './shared-answer.ts';

/** From the store, from a request for it that was under way, or made. */
export type CacheOutcome = 'hit' | 'shared' | 'miss';

export type AnswerCache = {
  /**
   * The answer kept under this key, or the one that `make` brings. Clients who ask at the same time share one `make`;
   * only answers with status 200 that may be kept are, for `lifetime` milliseconds.
   */
  take(key: string, lifetime: number, make: () => Promise<SharedAnswer>): Promise<SharedAnswer>;
};

/** Short-lived answers to anonymous requests, at most `bytes` of them. */
export function createAnswerCache({
  bytes,
  now,
  onTake = () => undefined,
}: {
  bytes: number;
  now: () => number;
  onTake?: (outcome: CacheOutcome) => void;
}): AnswerCache {
  const kept = boundedMap<{ answer: SharedAnswer; until: number }>({
    limit: bytes,
    weigh: ({ answer }, key) => answerWeight(answer, key),
  });
  const underWay = new Map<string, Promise<SharedAnswer>>();

  async function fill(
    key: string,
    lifetime: number,
    make: () => Promise<SharedAnswer>,
  ): Promise<SharedAnswer> {
    try {
      const answer = await make();
      if (answer.status === 200 && answer.mayKeep) kept.set(key, { answer, until: now() + lifetime });
      return answer;
    } finally {
      underWay.delete(key);
    }
  }
  return {
    async take(key, lifetime, make) {
      const found = kept.get(key);
      const isKept = found !== undefined && found.until > now();
      const current = isKept ? undefined : underWay.get(key);
      onTake(isKept ? 'hit' : current ? 'shared' : 'miss');
      if (isKept) return found.answer;
      if (current) return current;
      const filling = fill(key, lifetime, make);
      underWay.set(key, filling);
      return filling;
    },
  };
}
