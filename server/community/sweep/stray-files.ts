import type { ListedFile } from '../media/files.ts';
import { knownNames } from './store.ts';
import type { Sweeping } from './sweep.ts';

const AT_A_TIME = 500;

/**
 * Removes old files that no row stands for: what a refused, cut or killed upload had stored already.
 * @returns how many, and their bytes; or how many there would be
 */
export async function removeStrayFiles(sweeping: Sweeping): Promise<{ files: number; bytes: number }> {
  const removed = { files: 0, bytes: 0 };
  for await (const listed of oldFiles(sweeping)) {
    const known = await knownNames(
      sweeping.db,
      listed.map(({ name }) => name),
    );
    for (const { name, bytes } of listed) {
      if (known.has(name)) continue;
      if (!sweeping.dryRun && !(await sweeping.files.remove(name, sweeping.before))) continue;
      removed.files += 1;
      removed.bytes += bytes;
    }
  }
  return removed;
}

/** Files that were put before, some at a time. */
async function* oldFiles({ files, before, signal }: Sweeping): AsyncGenerator<ListedFile[]> {
  let batch: ListedFile[] = [];
  for await (const file of files.list()) {
    if (signal?.aborted) return;
    if (file.putAt >= before) continue;
    batch.push(file);
    if (batch.length < AT_A_TIME) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
