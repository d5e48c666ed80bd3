import { addAbortSignal } from 'node:stream';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { Piscina } from 'piscina';
import { appError } from '../../../http/errors.ts';
import { openPackage } from '../../catalogue/versions/download.ts';
import type { FileStore } from '../../files/media/files.ts';

/** Packages for users, without development-only keys (R 6.8). */
export type Releases = {
  /** @throws MEDIA_NOT_FOUND for a file that is missing in the store; SERVICE_UNAVAILABLE for a store that is too slow */
  read(packageName: string): Promise<Uint8Array>;
  /** The same, neither from the cache nor into it: for work that reads each package once. */
  create(packageName: string): Promise<Uint8Array>;
  close(): Promise<void>;
};

/** Bytes of cached releases. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** Milliseconds after which the idle thread ends. */
const IDLE_TIME = 10_000;
/** Packages that are read at a time, which bounds memory, and milliseconds for each. */
const READS = 8;
const READ_TIME = 30_000;
/** Milliseconds for which a package may wait for the thread and be worked on. */
const WORK_TIME = 30_000;

/**
 * Creates releases in a worker thread, so that a large package does not block other requests. Each has limits of its own: a
 * store that stalls with one file delays no other. Packages never change, so neither do their releases.
 */
export function openReleases(
  files: FileStore,
  { readTime = READ_TIME, workTime = WORK_TIME } = {},
): Releases {
  const pool = new Piscina<Uint8Array, Uint8Array>({
    filename: new URL('./release-worker.ts', import.meta.url).href,
    name: 'release',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_TIME,
  });
  const reads = pLimit(READS);
  const memoized = memoizeBytes({ bytes: CACHE_BYTES });

  async function read(name: string): Promise<Uint8Array<ArrayBuffer>> {
    const signal = AbortSignal.timeout(readTime);
    // The signal of `toArray` is asked at each chunk, so it would not let go of a stream without any.
    const chunks = openPackage(files, name).then((file) => addAbortSignal(signal, file.stream()).toArray());
    return new Uint8Array(Buffer.concat(await endedBy(signal, chunks)));
  }

  async function create(name: string): Promise<Uint8Array> {
    const content = await reads(() => read(name));
    const signal = AbortSignal.timeout(workTime);
    return endedBy(signal, pool.run(content, { transferList: [content.buffer], signal }));
  }

  return {
    read: (name) => memoized(name, () => create(name)),
    create,
    close: () => pool.destroy(),
  };
}

/** @throws SERVICE_UNAVAILABLE when the signal comes first */
async function endedBy<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const end = () => late.reject(appError('SERVICE_UNAVAILABLE', { cause: signal.reason }));
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, late.promise]);
  } catch (error) {
    throw signal.aborted ? appError('SERVICE_UNAVAILABLE', { cause: error }) : error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

type Create = () => Promise<Uint8Array>;

type MemoizedBytes = (key: string, create: Create) => Promise<Uint8Array>;

/**
 * Caches bytes that are created on demand, once for concurrent calls with the same key.
 * @param options `bytes`: size of the cache; a larger entry is cached alone
 */
export function memoizeBytes({ bytes }: { bytes: number }): MemoizedBytes {
  const cache = new LRUCache<string, Uint8Array, Create>({
    maxSize: bytes,
    sizeCalculation: ({ length }) => Math.min(Math.max(length, 1), bytes),
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: create }) => create(),
  });
  return (key, create) => cache.forceFetch(key, { context: create });
}
