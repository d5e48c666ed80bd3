import { LRUCache, type Perf } from 'lru-cache';
import { type CachedResponse, sizeOf } from './cached-response.ts';

/** From the cache, from the cache while it is revalidated, from a request under way, or from a request of its own. */
export type CacheOutcome = 'hit' | 'stale' | 'shared' | 'miss';

type Load = () => Promise<CachedResponse>;

type Fetching = {
  /** Brings the response when there is none, or a stale one. */
  load: Load;
  /** Asked before that. What it throws refuses a client for whom there is nothing; for others the stale response will do. */
  mayLoad?: () => Promise<void>;
};

export type ResponseCache = {
  /**
   * The response cached under this key, or the one that `load` brings. Clients who ask at the same time share one
   * `load`; a response with status 200 that is cacheable is cached for `lifetime` milliseconds. For as long again it is
   * given while one request for all revalidates it (RFC 5861 section 3); when that fails, it stays until its time is
   * over. One that is the same after revalidation goes on being cached, with its encoded forms.
   */
  get(key: string, lifetime: number, fetching: Fetching): Promise<CachedResponse>;
};

/** Thrown through the cache, which stores what is returned and gives what is thrown to all who wait. */
class NotCached extends Error {
  readonly response: CachedResponse;
  constructor(response: CachedResponse) {
    super('not cacheable');
    this.response = response;
  }
}

/** Responses to anonymous requests, at most `bytes` of them; those used least recently are forgotten first. */
export function createResponseCache({
  bytes,
  perf = performance,
  onFetch,
  onRevalidationFailed,
}: {
  bytes: number;
  /** Monotonic clock, in milliseconds. */
  perf?: Perf | undefined;
  onFetch: (outcome: CacheOutcome) => void;
  /** Told why a response could not be revalidated behind the back of who got the stale one. */
  onRevalidationFailed: (error: unknown) => void;
}): ResponseCache {
  const cache = new LRUCache<string, CachedResponse, Load>({
    maxSize: bytes,
    sizeCalculation: sizeOf,
    ttlResolution: 0,
    perf,
    noDeleteOnFetchRejection: true,
    ignoreFetchAbort: true,
    async fetchMethod(_key, stale, { options, context: load }) {
      const loaded = await load().catch((error: unknown) => {
        if (options.allowStale && stale) onRevalidationFailed(error);
        throw error;
      });
      if (loaded.status === 200 && loaded.isCacheable) return stale?.etag === loaded.etag ? stale : loaded;
      // An upstream that is broken takes nothing away; what it no longer has goes.
      options.noDeleteOnFetchRejection = loaded.status >= 500;
      throw new NotCached(loaded);
    },
  });

  return {
    async get(key, lifetime, { load, mayLoad }) {
      const allowStale = cache.getRemainingTTL(key) > -lifetime;
      try {
        if (!cache.has(key)) await mayLoad?.();
      } catch (error) {
        const stale = cache.get(key, { allowStale, noDeleteOnStaleGet: true });
        if (!stale) throw error;
        onFetch('stale');
        return stale;
      }
      const status: LRUCache.Status<string, CachedResponse, Load> = {};
      try {
        return await cache.forceFetch(key, { ttl: lifetime, context: load, allowStale, status });
      } catch (error) {
        if (error instanceof NotCached) return error.response;
        throw error;
      } finally {
        onFetch(outcomeOf(status));
      }
    },
  };
}

function outcomeOf({ fetch, returnedStale }: LRUCache.Status<string, CachedResponse, Load>): CacheOutcome {
  if (fetch === 'hit') return 'hit';
  if (returnedStale) return 'stale';
  return fetch === 'inflight' ? 'shared' : 'miss';
}
