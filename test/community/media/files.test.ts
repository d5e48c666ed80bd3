import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { openFolderStore } from '../../../server/community/media/files.ts';
import { testFolder } from '../../support/community.ts';

const NAME = `${'ab'.repeat(32)}.mp4`;

t.test('a file is kept once and read whole or in part', async (t) => {
  const dataDir = await testFolder(t);
  const files = openFolderStore(dataDir);
  t.equal(await files.get(NAME), undefined);
  await files.put(NAME, Buffer.from('0123456789'));
  await files.put(NAME, Buffer.from('another content is not written'));
  const file = await files.get(NAME);
  t.equal(file?.bytes, 10);
  t.equal(file && (await text(file.stream())), '0123456789');
  const again = await files.get(NAME);
  t.equal(again && (await text(again.stream({ start: 2, end: 4 }))), '234');
  t.same(await readdir(join(dataDir, 'files', 'ab', 'ab')), [NAME]);
});

t.test('a stream that breaks leaves nothing behind', async (t) => {
  const dataDir = await testFolder(t);
  const files = openFolderStore(dataDir);
  async function* broken() {
    yield Buffer.from('half');
    throw new Error('connection lost');
  }
  await t.rejects(files.put(NAME, broken()), { message: 'connection lost' });
  t.equal(await files.get(NAME), undefined);
  t.same(await readdir(join(dataDir, 'files', 'ab', 'ab')), []);
});

t.test('writing the same file many times at once is harmless', async (t) => {
  const files = openFolderStore(await testFolder(t));
  await Promise.all(Array.from({ length: 20 }, () => files.put(NAME, Buffer.from('same'))));
  const file = await files.get(NAME);
  t.equal(file && (await text(file.stream())), 'same');
});

t.test('a name that is no content address reaches no path', async (t) => {
  const files = openFolderStore(await testFolder(t));
  for (const name of ['../../etc/passwd', `${'ab'.repeat(32)}/x.mp4`, 'x.webp', '']) {
    await t.rejects(files.get(name), { message: /not a file name/ });
    await t.rejects(files.put(name, Buffer.from('x')), { message: /not a file name/ });
  }
});
