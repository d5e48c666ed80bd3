import { LRUCache, type Perf } from 'lru-cache';
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

/** In this process's memory; the keywords searched least recently are forgotten first. `perf`: the clock, if not the process's. */
export function createKnownWords({ perf = performance }: { perf?: Perf | undefined } = {}): KnownWords {
  const cache = new LRUCache<string, Known>({ max: REMEMBERED, ttl: SERVES, ttlResolution: 0, perf });
  const keyOf = ({ words, prefix }: KeywordQuery): string => `${words} | ${prefix}`;
  return {
    of: (query) => cache.get(keyOf(query)),
    learn(query, { expected: { name, headline, full }, total }) {
      cache.set(keyOf(query), {
        expected: { name, headline, full },
        total: total < KEPT_FROM ? undefined : total,
      });
    },
  };
}
