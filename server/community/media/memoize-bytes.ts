import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { appError } from '../../http/errors.ts';

type Make = () => Promise<Uint8Array>;

/** @throws SERVICE_UNAVAILABLE when too many wait for their turn already, and what `make` throws */
export type MemoizedBytes = (key: string, make: Make) => Promise<Uint8Array>;

/**
 * Bytes made on demand: one at a time, once for all who want the same, and kept for those who come next. `bytes`: how
 * many are kept, those asked for last; one that is larger is kept alone. `waiting`: how many may be under way.
 */
export function memoizeBytes({
  bytes,
  waiting = Number.POSITIVE_INFINITY,
}: {
  bytes: number;
  waiting?: number;
}): MemoizedBytes {
  const oneAtATime = pLimit(1);
  const cache = new LRUCache<string, Uint8Array, Make>({
    maxSize: bytes,
    sizeCalculation: ({ length }) => Math.min(Math.max(length, 1), bytes),
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: make }) => {
      if (oneAtATime.activeCount + oneAtATime.pendingCount >= waiting)
        throw appError('SERVICE_UNAVAILABLE', { headers: { 'retry-after': '5' } });
      return oneAtATime(make);
    },
  });
  return (key, make) => cache.forceFetch(key, { context: make });
}
