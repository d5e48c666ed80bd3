import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientStorage } from '../storage.ts';

const UNFINISHED = '.tmp';

/**
 * Keeps everything in files of a folder that only the current user may read. A file is written whole or not at all, also when
 * the program ends in between.
 */
export function folderStorage(folder: string): ClientStorage {
  const fileOf = (name: string): string => join(folder, encodeURIComponent(name));
  return {
    async get(name) {
      try {
        return new Uint8Array(await readFile(fileOf(name)));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async set(name, value) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = `${fileOf(name)}.${randomUUID()}${UNFINISHED}`;
      try {
        await writeFile(unfinished, value, { mode: 0o600, flush: true });
        await rename(unfinished, fileOf(name));
      } finally {
        await rm(unfinished, { force: true });
      }
    },
    delete: (name) => rm(fileOf(name), { force: true }),
    async names() {
      const files = await readdir(folder).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      return files.filter((file) => !file.endsWith(UNFINISHED)).map(decodeURIComponent);
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
