import { LRUCache, type Perf } from 'lru-cache';
import type { IsWithheld } from '../../files/media/routes.ts';
import type { Db } from '../../schema.ts';
import { readWithheldKeys } from './store.ts';

/** Milliseconds for which the answer is kept; with the lifetime in shared caches it stays below a minute. */
const KEPT_FOR = 15_000;

/** Pictures and videos are many and asked for all the time, withdrawn plugins are few: their files are kept in memory. */
export function openWithheldFiles(db: Db, { perf }: { perf?: Perf } = {}): IsWithheld {
  const cache = new LRUCache<'all', ReadonlySet<string>>({
    max: 1,
    ttl: KEPT_FOR,
    ttlResolution: 0,
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
    ...(perf && { perf }),
    fetchMethod: async () => new Set(await readWithheldKeys(db)),
  });
  return async (name) => {
    const keys = await cache.fetch('all');
    return keys?.has(name.replace(/[-.].*$/, '')) ?? false;
  };
}
