import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ignoreMissing, syncFolder, touch, writeDurably } from './durable-write.ts';
import { assertFileName, isFileName } from './file-name.ts';
import { filesBelow } from './folders.ts';
import { removeDrafts, removeUnlessPutSince } from './remove-file.ts';

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
