import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolderStore } from '../../../../server/community/files/media/files.ts';

/** Stores more than fits below the folder named by the first argument, and tells what came of it. */
const [, , dataDir = ''] = process.argv;
const name = `${'ab'.repeat(32)}.mp4`;

async function* tooMuch() {
  for (let part = 0; part < 32; part += 1) yield Buffer.alloc(64 * 1024, part);
}

const code = await openFolderStore(dataDir)
  .put(name, tooMuch())
  .then(
    () => 'stored',
    (error: { code?: string }) => error.code,
  );
const left = await readdir(join(dataDir, 'files', 'ab', 'ab'));
process.stdout.write(JSON.stringify({ code, left }));
