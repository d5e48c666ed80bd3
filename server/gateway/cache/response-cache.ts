import { LRUCache, type Perf } from 'lru-cache';
import { type CachedResponse, sizeOf } from './cached-response.ts';

/** From the cache, from the cache while it is revalidated, from a request under way, or from a request of its own. */
export type CacheOutcome = 'hit' | 'stale' | 'shared' | 'miss';

export type Fetching = {
  /** Brings the response when there is none, or a stale one. */
  load: () => Promise<CachedResponse>;
  /**
   * Asked before anything is loaded for this client, and not for what is there or under way. What it throws refuses a
   * client for whom there is nothing; one who got the stale response learns nothing of it.
   */
  mayLoad?: () => Promise<void>;
};

export type ResponseCache = {
  /**
   * The response cached under this key, or the one that `load` brings. Clients who ask at the same time share one
   * `load`; a response with status 200 that is cacheable is kept for `lifetime` milliseconds. For as long again it is
   * given while one request for all revalidates it (RFC 5861 section 3); when that fails, it stays until its time is
   * over. One that is the same after revalidation goes on being cached, with its encoded forms.
   */
  get(key: string, lifetime: number, fetching: Fetching): Promise<CachedResponse>;
};

/** Thrown through the cache, which keeps what is returned and gives what is thrown to all who wait. */
class NotCached extends Error {
  readonly response: CachedResponse;
  constructor(response: CachedResponse) {
    super('not cacheable');
    this.response = response;
  }
}
/** The client that a load was begun for may not have it; others who wait for it may. */
class Refused extends Error {
  readonly fetching: Fetching;
  constructor(fetching: Fetching, cause: unknown) {
    super('refused', { cause });
    this.fetching = fetching;
  }
}

/** Responses to anonymous requests, at most `bytes` of them; those used least recently are forgotten first. */
export function createResponseCache({
  bytes,
  perf = performance,
  onFetch = () => undefined,
  onRevalidationFailed = () => undefined,
}: {
  bytes: number;
  /** Monotonic clock, in milliseconds. */
  perf?: Perf | undefined;
  onFetch?: (outcome: CacheOutcome) => void;
  /** Told why a response could not be revalidated behind the back of who got the stale one. */
  onRevalidationFailed?: (error: unknown) => void;
}): ResponseCache {
  const cache = new LRUCache<string, CachedResponse, Fetching>({
    maxSize: bytes,
    sizeCalculation: sizeOf,
    ttlResolution: 0,
    perf,
    noDeleteOnFetchRejection: true,
    ignoreFetchAbort: true,
    async fetchMethod(_key, stale, { options, context: fetching }) {
      try {
        await fetching.mayLoad?.();
      } catch (error) {
        throw new Refused(fetching, error);
      }
      const loaded = await fetching.load().catch((error: unknown) => {
        if (options.allowStale && stale) onRevalidationFailed(error);
        throw error;
      });
      if (loaded.status === 200 && loaded.isCacheable) return isSame(stale, loaded) ? stale : loaded;
      // An upstream that is broken takes nothing away; what it no longer has goes.
      options.noDeleteOnFetchRejection = loaded.status >= 500;
      throw new NotCached(loaded);
    },
  });

  return {
    async get(key, lifetime, fetching) {
      for (;;) {
        const allowStale = cache.getRemainingTTL(key) > -lifetime;
        const status: LRUCache.Status<string, CachedResponse, Fetching> = {};
        const fetched = cache.forceFetch(key, { ttl: lifetime, context: fetching, allowStale, status });
        const result = await fetched.catch((error: unknown) => ({ error }));
        // Whom the load was begun for was refused; whoever waited for it as well begins one of their own.
        const isOthers =
          'error' in result && result.error instanceof Refused && result.error.fetching !== fetching;
        if (isOthers) continue;
        onFetch(outcomeOf(status));
        if (!('error' in result)) return result;
        const { error } = result;
        if (error instanceof NotCached) return error.response;
        throw error instanceof Refused ? error.cause : error;
      }
    },
  };
}

function outcomeOf({
  fetch,
  returnedStale,
}: LRUCache.Status<string, CachedResponse, Fetching>): CacheOutcome {
  if (fetch === 'hit') return 'hit';
  if (returnedStale) return 'stale';
  return fetch === 'inflight' ? 'shared' : 'miss';
}

function isSame(stale: CachedResponse | undefined, loaded: CachedResponse): stale is CachedResponse {
  return stale?.etag === loaded.etag;
}
