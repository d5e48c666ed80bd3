import type { FastifyRateLimitOptions, FastifyRateLimitStore } from '@fastify/rate-limit';
import { LRUCache, type Perf } from 'lru-cache';
import type { RedisLink } from '../redis/link.ts';
import { COUNT, sharedName } from '../redis/scripts.ts';

/** How often something was counted in the window that runs, and the milliseconds left of it. */
export type Counted = { current: number; ttl: number };
/** Counts something in a window of so many milliseconds. */
export type Count = (key: string, window: number) => Promise<Counted>;

/** Keys counted in one process; those that were not counted for longest are forgotten first. */
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

/** Counts that all gateways share; each counts alone while Redis is unavailable. */
export function createSharedCount(link: RedisLink, local: Count): Count {
  return async (key, window) => {
    const reply = await link.ask(undefined, (redis) =>
      redis.eval(COUNT, 1, sharedName('count', key), window),
    );
    if (reply === undefined) return local(key, window);
    const [current = 0, ttl = window] = Object.values(Object(reply)).map(Number);
    return { current, ttl };
  };
}

/** A count in the form that @fastify/rate-limit makes its stores: it wants something to call `new` on. */
export function storeOf(count: Count): new (options: FastifyRateLimitOptions) => FastifyRateLimitStore {
  return class CountStore implements FastifyRateLimitStore {
    incr(...[key, done, window]: Parameters<FastifyRateLimitStore['incr']>): void {
      count(key, window).then((counted) => done(null, counted), done);
    }
    child(): FastifyRateLimitStore {
      return this;
    }
  };
}
