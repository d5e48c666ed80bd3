import { boundedMap } from '../bounded-map.ts';
import { answerWeight, type SharedAnswer } from './shared-answer.ts';

export type AnswerCache = {
  /**
   * The answer kept under this key, or the one that `make` brings. Clients who ask at the same time share one `make`;
   * only answers with status 200 are kept, for `lifetime` milliseconds.
   */
  take(key: string, lifetime: number, make: () => Promise<SharedAnswer>): Promise<SharedAnswer>;
};

/** Short-lived answers to anonymous requests, at most `bytes` of them. */
export function createAnswerCache({ bytes, now }: { bytes: number; now: () => number }): AnswerCache {
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
      if (answer.status === 200) kept.set(key, { answer, until: now() + lifetime });
      return answer;
    } finally {
      underWay.delete(key);
    }
  }
  return {
    async take(key, lifetime, make) {
      const found = kept.get(key);
      if (found && found.until > now()) return found.answer;
      const current = underWay.get(key);
      if (current) return current;
      const filling = fill(key, lifetime, make);
      underWay.set(key, filling);
      return filling;
    },
  };
}
