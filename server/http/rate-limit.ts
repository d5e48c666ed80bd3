import { LRUCache, type Perf } from 'lru-cache';

/** At most `max` within `window` milliseconds. */
export type WindowLimit = { max: number; window: number };

/** Counts a key in a `window` of milliseconds, which its first count begins. Returns the count and the remaining milliseconds. */
export type Count = (key: string, window: number) => Promise<{ current: number; ttl: number }>;

/** Counted keys in one process; the least recently counted are removed first. */
const KEYS = 100_000;

/** Counts in this process. `perf`: a monotonic clock. */
export function createLocalCount(perf: Perf = performance): Count {
  const counts = new LRUCache<string, number>({ maxSize: KEYS, ttlResolution: 0, perf, noUpdateTTL: true });
  return async (key, window) => {
    const current = (counts.get(key) ?? 0) + 1;
    counts.set(key, current, { size: 1, ttl: window });
    return { current, ttl: counts.getRemainingTTL(key) };
  };
}
