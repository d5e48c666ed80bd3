import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../database/errors.ts';
import { appError } from '../../http/errors.ts';

/** Whether nothing more fits, on the disk or into the user's share of it. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error));
}

/**
 * Writes a file under another name and renames it when it is durable, so that a file is there whole or not at all. The
 * caller has the folder made durable.
 * @throws STORAGE_FULL, with nothing left of it
 */
export async function writeDurably(
  { folder, path, mode = 0o644 }: { folder: string; path: string; mode?: number },
  content: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const draft = join(folder, `.${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeSynced({ path: draft, mode }, content);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw isDiskFull(error) ? appError('STORAGE_FULL', { cause: error }) : error;
  }
}

async function writeSynced(
  { path, mode }: { path: string; mode: number },
  content: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A renamed file is durable once its folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Makes a file as young as one just written. It is looked for again afterwards: who removes files may have moved it
 * aside, and looked at its age there, between the kernel's finding it and its setting the time.
 * @returns false when there is none
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
