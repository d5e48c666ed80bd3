import type { FastifyRateLimitOptions, FastifyRateLimitStore } from '@fastify/rate-limit';
import { boundedMap } from '../../memory/bounded-map.ts';
import type { RedisLink } from '../redis/link.ts';
import { sharedName } from '../redis/names.ts';
import { COUNT } from '../redis/scripts.ts';

/** How often something was counted in the window that runs, and the milliseconds left of it. */
export type Counted = { current: number; ttl: number };
/** Counts something that came once, or `amount` times, in a window of so many milliseconds. */
export type Count = (key: string, window: number, amount?: number) => Promise<Counted>;

/** Keys counted in one process; who has not come for longest is forgotten first. */
const KEPT = 100_000;

export function createLocalCount(now: () => number): Count {
  const counts = boundedMap<{ current: number; until: number }>({ limit: KEPT });
  return async (key, window, amount = 1) => {
    const time = now();
    const found = counts.get(key);
    // A window that ends later than one that begins now was begun before the clock was set back.
    const isOpen = found && found.until > time && found.until <= time + window;
    const entry = isOpen ? found : { current: 0, until: time + window };
    entry.current += amount;
    counts.set(key, entry);
    return { current: entry.current, ttl: entry.until - time };
  };
}

/** Counts that all gateways share; each counts alone while Redis cannot be asked. */
export function createSharedCount(link: RedisLink, local: Count): Count {
  return (key, window, amount = 1) =>
    link.ask(
      async (redis) => {
        const [current, ttl] = Object.values(
          Object(await redis.eval(COUNT, 1, sharedName('count', key), window, amount)),
        ).map(Number);
        return { current: current ?? 0, ttl: ttl ?? window };
      },
      () => local(key, window, amount),
    );
}

/** A count in the form the limiter makes its stores: it wants something to call `new` on. */
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
