import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { Piscina } from 'piscina';
import type { FileStore } from '../media/files.ts';
import { openPackage } from '../versions/download.ts';

/** Packages as users get them, without what is for developers only (design section 7). */
type Releases = {
  /** @throws MEDIA_NOT_FOUND for a file that the store has lost */
  of(packageName: string): Promise<Uint8Array>;
  close(): Promise<void>;
};

/** Bytes of releases that are kept for those who come next. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** How long, milliseconds, the thread waits for more work before it ends. */
const IDLE = 10_000;

/**
 * Makes releases one at a time in a thread of its own, so that a large package keeps nobody waiting but those who want
 * it. A package never changes, so neither does its release.
 */
export function openReleases(files: FileStore): Releases {
  const pool = new Piscina<Uint8Array, Uint8Array>({
    filename: new URL('./release-worker.ts', import.meta.url).href,
    name: 'release',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE,
  });
  const memoized = memoizeBytes({ bytes: CACHE_BYTES });

  async function make(name: string): Promise<Uint8Array> {
    const file = await openPackage(files, name);
    const content = new Uint8Array(Buffer.concat(await file.stream().toArray()));
    return pool.run(content, { transferList: [content.buffer] });
  }

  return {
    of: (name) => memoized(name, () => make(name)),
    close: () => pool.destroy(),
  };
}

type Make = () => Promise<Uint8Array>;

/** @throws what `make` throws */
type MemoizedBytes = (key: string, make: Make) => Promise<Uint8Array>;

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
