import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';

type Make = () => Promise<Uint8Array>;

/** @throws what `make` throws */
export type MemoizedBytes = (key: string, make: Make) => Promise<Uint8Array>;

/**
 * Bytes made on demand: one at a time, once for all who want the same, and kept for those who come next.
 * @param options `bytes`: how many are kept, those asked for last; one that is larger is kept alone
 */
export function memoizeBytes({ bytes }: { bytes: number }): MemoizedBytes {
  const oneAtATime = pLimit(1);
  const cache = new LRUCache<string, Uint8Array, Make>({
    maxSize: bytes,
    sizeCalculation: ({ length }) => Math.min(Math.max(length, 1), bytes),
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: make }) => oneAtATime(make),
  });
  return (key, make) => cache.forceFetch(key, { context: make });
}
