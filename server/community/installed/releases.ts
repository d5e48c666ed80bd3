import { Piscina } from 'piscina';
import type { FileStore } from '../media/files.ts';
import { memoizeBytes } from '../media/memoize-bytes.ts';
import { openPackage } from '../versions/download.ts';

/** Packages as users get them, without what is for developers only (design section 7). */
export type Releases = {
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
