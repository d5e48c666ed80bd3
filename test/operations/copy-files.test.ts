import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { type FileStore, openFolderStore } from '../../server/community/media/files.ts';
import { copyFiles } from '../../server/operations/copy-files.ts';
import { testFolder } from '../support/community.ts';

const CONTENTS = Array.from({ length: 30 }, (_, at) => Buffer.alloc(1000 * at, `file ${at}`));
const nameOf = (content: Buffer) => `${createHash('sha256').update(content).digest('hex')}.mp4`;

async function fill(files: FileStore): Promise<void> {
  for (const content of CONTENTS) await files.put(nameOf(content), content);
}

async function holdsAll(files: FileStore): Promise<boolean> {
  for (const content of CONTENTS) {
    const file = await files.get(nameOf(content));
    if (!file || !(await buffer(file.stream())).equals(content)) return false;
  }
  return true;
}

t.test('an interrupted copy can be continued, and different files are replaced', async (t) => {
  const [from, dataDir] = [openFolderStore(await testFolder(t)), await testFolder(t)];
  const to = openFolderStore(dataDir);
  await fill(from);
  let puts = 0;
  const breaking: FileStore = {
    ...to,
    put: (name, content) => {
      puts += 1;
      return puts > 10 ? Promise.reject(new Error('connection lost')) : to.put(name, content);
    },
  };
  await t.rejects(copyFiles({ from, to: breaking }), { message: 'connection lost' });
  t.hasStrict(await copyFiles({ from, to }), { copied: 20, same: 10 });
  const name = nameOf(CONTENTS[7] ?? Buffer.alloc(0));
  await writeFile(join(dataDir, 'files', name.slice(0, 2), name.slice(2, 4), name), 'damaged');
  t.hasStrict(await copyFiles({ from, to }), { copied: 1, same: 29 });
  t.ok(await holdsAll(to));
});
