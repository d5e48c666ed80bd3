import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ByteSource } from '../../../../shared/upload/byte-source.ts';
import { errorCode } from '../../../database/errors.ts';
import type { Log } from '../../../database/pool.ts';
import { ignoreMissing, syncFolder, touch, writeDurably } from '../../../storage/durable-write.ts';
import type { OnStoreError, S3Settings } from './s3/client.ts';

/** Names start with a hash of the content, so two levels of folders are enough for millions of files. */
const FILE_NAME = /^[0-9a-f]{32}(?:[0-9a-f]{32})?(-[0-9]{2,4})?\.[a-z0-9]{2,5}$/;

export function isFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

/** @throws TypeError for a name that could lead outside of the folder */
export function assertFileName(name: string): void {
  if (!isFileName(name)) throw new TypeError(`not a file name: ${name}`);
}

/** First and last byte of a range, both included. */
export type ByteRange = { start: number; end: number };

export type OpenFile = {
  bytes: number;
  /** Closes the file after reading or when destroyed; exactly one of `stream` and `close` must be called. */
  stream(range?: ByteRange): Readable;
  close(): Promise<void>;
};

export type ListedFile = { name: string; bytes: number; putAt: Date };

/** A folder on this machine or an object store for many. Files never change, since names are hashes of the content. */
export type FileStore = {
  /**
   * Stores a file durably. An existing file stays as it is and gets the current time.
   * @throws STORAGE_FULL, after removing what was written
   */
  put(name: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  /** @returns undefined for an unknown file */
  get(name: string): Promise<OpenFile | undefined>;
  /**
   * Lists every file whose name begins with `start`, unordered; files that are added or removed meanwhile may be missing.
   */
  list(start?: string): AsyncGenerator<ListedFile>;
  /**
   * Removes a file that was last put before a time. A concurrent `put` is never lost: the file is either left in place or
   * written again.
   * @returns false for a file that was put since, or does not exist
   */
  remove(name: string, before: Date): Promise<boolean>;
  /** Removes incomplete files of killed processes. @returns their number */
  removeDrafts(before: Date, options?: { dryRun?: boolean }): Promise<number>;
};

/** Opens the store in `dataDir/files`. Folders are created when needed. */
export function openFolderStore(dataDir: string): FileStore {
  const root = join(dataDir, 'files');
  return {
    async put(name, content) {
      const place = placeOf(root, name);
      if (!(await touch(place.path))) await writeDurably(place, content);
      await syncFolder(place.folder);
    },
    async get(name) {
      const file = await open(placeOf(root, name).path).catch(ignoreMissing);
      if (!file) return undefined;
      const { size } = await file.stat();
      return {
        bytes: size,
        stream: (range) => file.createReadStream(range),
        close: () => file.close(),
      };
    },
    async *list(start = '') {
      for await (const { folder, name } of filesBelow(root, start)) {
        const isWanted = isFileName(name) && name.startsWith(start);
        const found = isWanted && (await stat(join(folder, name)).catch(ignoreMissing));
        if (found) yield { name, bytes: found.size, putAt: found.mtime };
      }
    },
    remove: (name, before) => removeUnlessPutSince(placeOf(root, name), before),
    removeDrafts: (before, { dryRun = false } = {}) => removeDrafts(root, { before, dryRun }),
  };
}

function placeOf(root: string, name: string): { folder: string; path: string } {
  assertFileName(name);
  const folder = join(root, name.slice(0, 2), name.slice(2, 4));
  return { folder, path: join(folder, name) };
}

const ASIDE = '.removed-';

/**
 * Removes a file that was last put before a time. It is renamed first and its time is checked then: a concurrent `put` has
 * either touched it before, so it is renamed back, or does not find it and writes it again.
 * @returns false for a file that was put since, or does not exist
 */
async function removeUnlessPutSince(
  { folder, path }: { folder: string; path: string },
  before: Date,
): Promise<boolean> {
  const aside = join(folder, ASIDE + basename(path));
  if (!(await renameIfExists(path, aside))) return false;
  const { mtime } = await stat(aside);
  if (mtime >= before) {
    await rename(aside, path);
    return false;
  }
  await rm(aside, { force: true });
  return true;
}

/**
 * Removes drafts older than a time, and restores files that a killed process had renamed for removal.
 * @returns the number of drafts that were, or would be, removed
 */
async function removeDrafts(
  root: string,
  { before, dryRun }: { before: Date; dryRun: boolean },
): Promise<number> {
  let drafts = 0;
  for await (const { folder, name } of filesBelow(root)) {
    if (!name.startsWith('.')) continue;
    const path = join(folder, name);
    if (name.startsWith(ASIDE)) {
      if (!dryRun) await renameIfExists(path, join(folder, name.slice(ASIDE.length)));
      continue;
    }
    const found = await stat(path).catch(ignoreMissing);
    if (!found || found.mtime >= before) continue;
    if (!dryRun) await rm(path, { force: true });
    drafts += 1;
  }
  return drafts;
}

/** @returns false if `from` does not exist */
async function renameIfExists(from: string, to: string): Promise<boolean> {
  return rename(from, to)
    .then(() => true, ignoreMissing)
    .then(Boolean);
}

/** Walks the two levels of folders below a root, of the first only those whose names may begin with `start`. */
async function* filesBelow(root: string, start = ''): AsyncGenerator<{ folder: string; name: string }> {
  for (const first of await namesIn(root)) {
    if (!first.startsWith(start.slice(0, 2))) continue;
    for (const second of await namesIn(join(root, first))) {
      const folder = join(root, first, second);
      for (const name of await namesIn(folder)) yield { folder, name };
    }
  }
}

/** Lists the names in a folder; none if it is not a folder or does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return [];
    throw error;
  }
}

type StoreOptions = {
  dataDir: string;
  /** A bucket instead of the data folder. */
  s3?: S3Settings | undefined;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Called for each failed request to the bucket. */
  onError?: OnStoreError;
};

type OpenStore = { files: FileStore; close: () => void };

/**
 * Opens the configured store. The S3 client is only loaded if a bucket is configured.
 * @throws start error if the bucket rejects the credentials or does not exist
 */
export async function openFileStore({ dataDir, s3, log, now, onError }: StoreOptions): Promise<OpenStore> {
  if (!s3) return { files: openFolderStore(dataDir), close: () => undefined };
  const { openS3Store } = await import('./s3/store.ts');
  const files = await openS3Store({ settings: s3, log, now, onError });
  return { files, close: () => files.close() };
}

/** Opens a file on disk for reading in pieces, and closes it after `use`. */
export async function withFileSource<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await use({
      size,
      async read(offset, length) {
        const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
        const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
        return buffer.subarray(0, bytesRead);
      },
    });
  } finally {
    await file.close();
  }
}
