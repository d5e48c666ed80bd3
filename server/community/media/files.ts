import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode } from '../../database/errors.ts';
import type { Log } from '../../database/pool.ts';
import { ignoreMissing, syncFolder, touch, writeDurably } from './durable-write.ts';
import type { S3Settings } from './s3/client.ts';

/** Names begin with a hash of the content, so two levels of folders hold millions of files. */
const FILE_NAME = /^[0-9a-f]{32}(?:[0-9a-f]{32})?(-[0-9]{2,4})?\.[a-z0-9]{2,5}$/;

export function isFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

/** @throws TypeError for a name that could reach another place than a file's */
export function assertFileName(name: string): void {
  if (!isFileName(name)) throw new TypeError(`not a file name: ${name}`);
}

/** Part of a file: first and last byte, both included. */
export type ByteRange = { start: number; end: number };

export type OpenFile = {
  bytes: number;
  /** Ends the file when it has been read or is destroyed; exactly one of `stream` and `close` must be called. */
  stream(range?: ByteRange): Readable;
  close(): Promise<void>;
};

export type ListedFile = { name: string; bytes: number; putAt: Date };

/** Where files lie: a folder here, an object store for many machines. Files never change; their names say so. */
export type FileStore = {
  /**
   * Keeps a file durably. One that is already there stays as it is, and counts as put now.
   * @throws STORAGE_FULL, with nothing half-written left
   */
  put(name: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  /** The file, or undefined when there is none. */
  get(name: string): Promise<OpenFile | undefined>;
  has(name: string): Promise<boolean>;
  /** Every file, in no order; one that comes or goes meanwhile may be missing. */
  list(): AsyncGenerator<ListedFile>;
  /**
   * Removes a file that was put before a time. Who puts it meanwhile has it: it is either found put again and left, or
   * written again.
   * @returns false when it was put since, or is gone
   */
  remove(name: string, before: Date): Promise<boolean>;
  /** Removes what was being written when a program was killed. @returns how many of them */
  removeDrafts(before: Date, options?: { dryRun?: boolean }): Promise<number>;
};

/** Opens the store in `dataDir/files`. Folders are made when first needed. */
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
    has: async (name) => (await stat(placeOf(root, name).path).catch(ignoreMissing)) !== undefined,
    async *list() {
      for await (const { folder, name } of filesBelow(root)) {
        const found = isFileName(name) && (await stat(join(folder, name)).catch(ignoreMissing));
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
 * Removes a file that was put before a time. It is moved aside first and looked at there: who puts the same file has
 * either touched it by then, and it goes back, or finds nothing and writes it again.
 * @returns false when it was put since, or is gone
 */
async function removeUnlessPutSince(
  { folder, path }: { folder: string; path: string },
  before: Date,
): Promise<boolean> {
  const aside = join(folder, ASIDE + basename(path));
  if (!(await moved(path, aside))) return false;
  const { mtime } = await stat(aside);
  if (mtime >= before) {
    await rename(aside, path);
    return false;
  }
  await rm(aside, { force: true });
  return true;
}

/**
 * Removes drafts older than a time, and puts back what was aside when a program was killed.
 * @returns how many drafts were removed, or would be
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
      if (!dryRun) await moved(path, join(folder, name.slice(ASIDE.length)));
      continue;
    }
    const found = await stat(path).catch(ignoreMissing);
    if (!found || found.mtime >= before) continue;
    if (!dryRun) await rm(path, { force: true });
    drafts += 1;
  }
  return drafts;
}

/** @returns false when there is nothing to move */
async function moved(from: string, to: string): Promise<boolean> {
  return rename(from, to)
    .then(() => true, ignoreMissing)
    .then(Boolean);
}

/** What lies in the two levels of folders below a root, one folder at a time. */
async function* filesBelow(root: string): AsyncGenerator<{ folder: string; name: string }> {
  for (const first of await namesIn(root)) {
    for (const second of await namesIn(join(root, first))) {
      const folder = join(root, first, second);
      for (const name of await namesIn(folder)) yield { folder, name };
    }
  }
}

/** Names in a folder; none in what is no folder, or is not there. */
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
};

/** A store and how it is let go of. */
type OpenStore = { files: FileStore; close: () => void };

/**
 * Opens the store that is configured. What speaks to buckets is loaded only where there is one.
 * @throws start error when a bucket refuses
 */
export async function openFileStore({ dataDir, s3, log, now }: StoreOptions): Promise<OpenStore> {
  if (!s3) return { files: openFolderStore(dataDir), close: () => undefined };
  const { openS3Store } = await import('./s3/store.ts');
  const files = await openS3Store({ settings: s3, log, now });
  return { files, close: () => files.close() };
}
