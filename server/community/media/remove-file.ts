import { rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ignoreMissing } from './durable-write.ts';
import { filesBelow } from './folders.ts';

const ASIDE = '.removed-';

/**
 * Removes a file that was put before a time. It is moved aside first and looked at there: who puts the same file has
 * either touched it by then, and it goes back, or finds nothing and writes it again.
 * @returns false when it was put since, or is gone
 */
export async function removeUnlessPutSince(
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
export async function removeDrafts(
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
