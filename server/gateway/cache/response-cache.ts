import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache, type Perf } from 'lru-cache';

/** `stale`: served from the cache while it is revalidated; `shared`: waited for the request of another client. */
export type CacheOutcome = 'hit' | 'stale' | 'shared' | 'miss';

type Load = () => Promise<CachedResponse>;

type Fetching = {
  /** Called if there is no fresh response. */
  load: Load;
  /** Called before `load`. If it throws, the stale response is served, or the error if there is none. */
  mayLoad?: () => Promise<void>;
};

export type ResponseCache = {
  /**
   * The cached response of this key, or the result of `load`, which concurrent clients share. A cacheable response with
   * status 200 is fresh for `lifetime` milliseconds, and for as long again it is served stale while one request
   * revalidates it (RFC 5861 section 3). An unchanged response stays cached with its compressed forms.
   */
  get(key: string, lifetime: number, fetching: Fetching): Promise<CachedResponse>;
};

/** Thrown by the fetch method to pass a response to all waiting clients without caching it. */
class NotCached extends Error {
  readonly response: CachedResponse;
  constructor(response: CachedResponse) {
    super('not cacheable');
    this.response = response;
  }
}

/** Responses to anonymous requests, at most `bytes` in total; the least recently used are removed first. */
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
  /** Called when a revalidation in the background fails. */
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
      // A failing upstream does not invalidate the cached response; any other status does.
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

export type Encoding = 'br' | 'gzip';

/** A response that anonymous clients share; never with a cookie. */
export type CachedResponse = {
  status: number;
  contentType: string;
  body: Buffer;
  etag: string;
  /** Of the body, if its service signs it. */
  signature?: string | undefined;
  /** False if the upstream forbids caching: then only concurrent clients share the response. */
  isCacheable: boolean;
  /** How often the response has been sent. */
  sent: number;
  /** The compressed bodies, created on demand. */
  encoded: Map<Encoding, Promise<Buffer>>;
};

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const COMPRESS: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }).then(ownBytes),
  gzip: (body) => compressGzip(body, { level: 6 }).then(ownBytes),
};

/** The window covers all but the longest pages and limits the memory that compression needs to a few megabytes. */
const SMALLEST = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
};

/** A smaller body does not save a packet when compressed. */
const MIN_COMPRESS_BYTES = 1024;

export function cachedResponse(
  status: number,
  contentType: string,
  body: Buffer,
  { isCacheable = true, signature }: { isCacheable?: boolean; signature?: string | undefined } = {},
): CachedResponse {
  // A body that was signed again is another response: the time of its signature counts.
  const hashed = createHash('sha256')
    .update(contentType)
    .update(signature ?? '')
    .update(body);
  const etag = `W/"${hashed.digest('base64url').slice(0, 22)}"`;
  return {
    status,
    contentType,
    body: ownBytes(body),
    etag,
    signature,
    isCacheable,
    sent: 0,
    encoded: new Map(),
  };
}

/** Bytes of a response in memory, including an estimate of its compressed forms. */
export function sizeOf(response: CachedResponse, key: string): number {
  return Math.ceil(response.body.length * 2) + key.length * 2 + 500;
}

/** The body in the best encoding that the client accepts (RFC 9110 section 12.5.3). */
export async function encodedBody(
  response: CachedResponse,
  acceptEncoding = '',
): Promise<{ body: Buffer; encoding: Encoding | undefined }> {
  const { body, encoded } = response;
  const encoding = ENCODINGS.find((name) => ACCEPTED[name].test(acceptEncoding));
  if (!encoding || body.length < MIN_COMPRESS_BYTES) return { body, encoding: undefined };
  let compressed = encoded.get(encoding);
  if (!compressed) {
    compressed = COMPRESS[encoding](body);
    encoded.set(encoding, compressed);
    // The next client tries again.
    compressed.catch(() => encoded.delete(encoding));
  }
  return { body: await compressed, encoding };
}

const ENCODINGS = ['br', 'gzip'] as const;
const ACCEPTED: Record<Encoding, RegExp> = {
  br: /(?:^|,)\s*br\s*(?!;\s*q=0(?:\.0*)?\s*(?:,|$))(?:[,;]|$)/i,
  gzip: /(?:^|,)\s*gzip\s*(?!;\s*q=0(?:\.0*)?\s*(?:,|$))(?:[,;]|$)/i,
};

/** Replaces the brotli body by the smallest possible one: a tenth smaller for seventy times the CPU time. */
export async function compressSmallest({ body, encoded }: CachedResponse): Promise<void> {
  const smallest = ownBytes(await compressBrotli(body, SMALLEST));
  encoded.set('br', Promise.resolve(smallest));
}

/** Recompresses sent responses one at a time; `pause` in milliseconds, for a tenth of a processor. */
export function createBackgroundCompression({
  pause = 1000,
} = {}): (response: CachedResponse, onFailed: (error: unknown) => void) => void {
  const done = new WeakSet<CachedResponse>();
  let isFree = true;
  const release = () => {
    isFree = true;
  };
  return (response, onFailed) => {
    if (!isFree || done.has(response)) return;
    isFree = false;
    done.add(response);
    compressSmallest(response)
      .catch(onFailed)
      .finally(() => setTimeout(release, pause).unref());
  };
}

/** Copies a slice of a pooled buffer, because a cached slice would keep its whole pool in memory. */
function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
