import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode } from '../../database/start-error.ts';

/** Part of a file: first and last byte, both included. */
export type ByteRange = { start: number; end: number };

export type OpenFile = {
  bytes: number;
  /** Ends the file when it has been read or is destroyed; exactly one of `stream` and `close` must be called. */
  stream(range?: ByteRange): Readable;
  close(): Promise<void>;
};

/** Where files lie: a folder here, an object store for many machines. Files never change; their names say so. */
export type FileStore = {
  /** Keeps a file durably; one that is already there stays as it is. */
  put(name: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  /** The file, or undefined when there is none. */
  get(name: string): Promise<OpenFile | undefined>;
};

/** Names begin with the SHA-256 of the content, so two levels of folders hold millions of files. */
const FILE_NAME = /^[0-9a-f]{64}(-[0-9]{2,4})?\.[a-z0-9]{2,5}$/;

/** Opens the store in `dataDir/files`. Folders are made when first needed. */
export function openFolderStore(dataDir: string): FileStore {
  const root = join(dataDir, 'files');
  return {
    async put(name, content) {
      const { folder, path } = placeOf(root, name);
      if (await exists(path)) return;
      await mkdir(folder, { recursive: true });
      const draft = join(folder, `.${randomUUID()}`);
      try {
        await writeDurably(draft, content);
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      await syncFolder(folder);
    },
    async get(name) {
      const { path } = placeOf(root, name);
      const file = await open(path).catch(ignoreMissing);
      if (!file) return undefined;
      const { size } = await file.stat();
      return {
        bytes: size,
        stream: (range) => file.createReadStream(range),
        close: () => file.close(),
      };
    },
  };
}

function placeOf(root: string, name: string): { folder: string; path: string } {
  if (!FILE_NAME.test(name)) throw new TypeError(`not a file name: ${name}`);
  const folder = join(root, name.slice(0, 2), name.slice(2, 4));
  return { folder, path: join(folder, name) };
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(ignoreMissing)) !== undefined;
}

function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}

async function writeDurably(path: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o644);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A renamed file is durable once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
