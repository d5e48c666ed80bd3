import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../database/start-error.ts';

/** What lies in the two levels of folders below a root, one folder at a time. */
export async function* filesBelow(root: string): AsyncGenerator<{ folder: string; name: string }> {
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
