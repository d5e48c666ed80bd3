import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../database/errors.ts';
import { appError } from '../http/errors.ts';

/** True if the disk, or the quota of the user, is full. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error));
}

/**
 * Writes a file under a temporary name and renames it when it is durable, so that no incomplete file is ever visible. The
 * caller must sync the folder.
 * @throws STORAGE_FULL, after removing what was written
 */
export async function writeDurably(
  { folder, path, mode = 0o644 }: { folder: string; path: string; mode?: number },
  content: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const draft = join(folder, `.${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(draft, content, { mode, flag: 'wx', flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw isDiskFull(error) ? appError('STORAGE_FULL', { cause: error }) : error;
  }
}

/** Makes renamed files in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Sets the time of a file to now. It checks afterwards that the file is still there: a concurrent removal may have renamed
 * it, and read its old time, while the kernel was setting the new one.
 * @returns false for a missing file
 */
export async function touch(path: string): Promise<boolean> {
  const now = new Date();
  return utimes(path, now, now)
    .then(() => stat(path))
    .then(() => true, ignoreMissing)
    .then(Boolean);
}

export function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}
