import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { Piscina } from 'piscina';
import type { FileStore } from '../media/files.ts';
import { openPackage } from '../versions/download.ts';

/** Packages for users, without development-only keys (R 6.8). */
type Releases = {
  /** @throws MEDIA_NOT_FOUND for a file that is missing in the store */
  read(packageName: string): Promise<Uint8Array>;
  close(): Promise<void>;
};

/** Bytes of cached releases. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** Milliseconds after which the idle thread ends. */
const IDLE_TIME = 10_000;

/**
 * Creates releases one at a time in a worker thread, so that a large package does not block other requests. Packages never
 * change, so neither do their releases.
 */
export function openReleases(files: FileStore): Releases {
  const pool = new Piscina<Uint8Array, Uint8Array>({
    filename: new URL('./release-worker.ts', import.meta.url).href,
    name: 'release',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_TIME,
  });
  const memoized = memoizeBytes({ bytes: CACHE_BYTES });

  async function create(name: string): Promise<Uint8Array> {
    const file = await openPackage(files, name);
    const content = new Uint8Array(Buffer.concat(await file.stream().toArray()));
    return pool.run(content, { transferList: [content.buffer] });
  }

  return {
    read: (name) => memoized(name, () => create(name)),
    close: () => pool.destroy(),
  };
}

type Create = () => Promise<Uint8Array>;

type MemoizedBytes = (key: string, create: Create) => Promise<Uint8Array>;

/**
 * Caches bytes that are created on demand, one at a time and once for concurrent calls with the same key.
 * @param options `bytes`: size of the cache; a larger entry is cached alone
 */
export function memoizeBytes({ bytes }: { bytes: number }): MemoizedBytes {
  const oneAtATime = pLimit(1);
  const cache = new LRUCache<string, Uint8Array, Create>({
    maxSize: bytes,
    sizeCalculation: ({ length }) => Math.min(Math.max(length, 1), bytes),
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: create }) => oneAtATime(create),
  });
  return (key, create) => cache.forceFetch(key, { context: create });
}
