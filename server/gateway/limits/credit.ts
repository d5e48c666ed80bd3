import { boundedMap } from '../../memory/bounded-map.ts';
import type { Count, Counted } from './counter.ts';
import type { Policy } from './policies.ts';

/** What a client may still do in its window, as far as this process knows without asking. */
export type Credit = {
  /** Counts one; false: nothing is known, or nothing is left, so the count has to be asked. */
  spend(key: string): boolean;
  /** Notes what a count has just come to. */
  learn(key: string, counted: Counted): void;
};

type Known = { current: number; until: number; owed: number };

/** Clients of whom this is known; who has not come for longest is forgotten first. */
const KEPT = 100_000;

/** Credit under a policy. What is spent in one turn of the event loop is counted together at its end. */
export function createCredit({
  count,
  policy: { max, window },
  now,
}: {
  count: Count;
  policy: Policy;
  now: () => number;
}): Credit {
  const known = boundedMap<Known>({ limit: KEPT });
  const owing = new Set<string>();

  function learn(key: string, { current, ttl }: Counted): void {
    const owed = known.get(key)?.owed ?? 0;
    known.set(key, { current: current + owed, until: now() + ttl, owed });
  }

  function pay(): void {
    for (const key of owing) {
      const entry = known.get(key);
      if (!entry) continue;
      const { owed } = entry;
      entry.owed = 0;
      // Of whom the count cannot tell, nothing is known: his next request meets the fault itself.
      count(key, window, owed).then(
        (counted) => learn(key, counted),
        () => known.delete(key),
      );
    }
    owing.clear();
  }

  return {
    learn,
    spend(key) {
      const entry = known.get(key);
      const left = entry ? entry.until - now() : 0;
      // More than a whole window is left when the clock was set back.
      if (!entry || left <= 0 || left > window || entry.current >= max) return false;
      entry.current += 1;
      entry.owed += 1;
      if (owing.size === 0) setImmediate(pay);
      owing.add(key);
      return true;
    },
  };
}
