import { boundedMap } from '../../memory/bounded-map.ts';
import type { KeywordQuery } from './query.ts';
import type { Expected } from './ranked-store.ts';

/** Milliseconds for which what has been found out about a keyword serves. */
const SERVES = 60_000;
const REMEMBERED = 5000;
/** Of fewer matches people notice one more or less, and counting them is quick. */
const KEPT_FROM = 1000;

/** How often a keyword is expected in each column, and how often it was counted where that is often. */
export type Known = { expected: Omit<Expected, 'listed'>; total: number | undefined };

/** What searches of the last minute have found out about their keywords. */
export type KnownWords = {
  of(query: KeywordQuery): Known | undefined;
  learn(query: KeywordQuery, known: { expected: Expected; total: number }): void;
};

/** In this process's memory; the keywords searched least recently are forgotten first. */
export function createKnownWords({ now }: { now: () => number }): KnownWords {
  const remembered = boundedMap<Known & { at: number }>({ limit: REMEMBERED });
  const keyOf = ({ words, prefix }: KeywordQuery): string => `${words} | ${prefix}`;
  return {
    of(query) {
      const known = remembered.get(keyOf(query));
      // What lies ahead was learnt before the clock was set back.
      return known && Math.abs(now() - known.at) < SERVES ? known : undefined;
    },
    learn(query, { expected: { name, headline, full }, total }) {
      remembered.set(keyOf(query), {
        expected: { name, headline, full },
        total: total < KEPT_FROM ? undefined : total,
        at: now(),
      });
    },
  };
}
