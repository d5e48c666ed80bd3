import sharp from 'sharp';
import t from 'tap';
import { openFolderStore } from '../../../server/community/media/files.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';

const { db, url, dataDir } = await testCommunity(t);
await addPlugin(db, { key: 'grid-maker', name: { 'en-US': 'Grid <Maker> & "Co"', 'ja-JP': 'グリッド' } });
await addPlugin(db, { key: 'waiting-one', auditStatus: 1 });
await addPlugin(db, { key: 'hidden-one', isHidden: true });

function read(path: string, headers: Record<string, string> = {}) {
  return fetch(`${url}/api/cmt/plugin/share/${path}`, { headers });
}

t.test('the picture of a plugin, in every language', async (t) => {
  const tags = new Set<string | null>();
  for (const name of ['en-US.jpg', 'ja-JP.jpg?v=k3x9', 'ru-RU.jpg']) {
    const response = await read(`grid-maker/${name}`);
    t.equal(response.status, 200, name);
    t.match(Object.fromEntries(response.headers), {
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    });
    const { width, height } = await sharp(new Uint8Array(await response.arrayBuffer())).metadata();
    t.match({ width, height }, { width: 1200, height: 630 });
    tags.add(response.headers.get('etag'));
  }
  t.equal(tags.size, 3, 'each has a tag of its own');
});

t.test('who has it already gets 304; a changed plugin has another', async (t) => {
  const etag = (await read('grid-maker/en-US.jpg')).headers.get('etag') ?? '';
  const known = await read('grid-maker/en-US.jpg', { 'if-none-match': etag });
  t.equal(known.status, 304);
  t.equal(known.headers.get('etag'), etag);
  const key = 'd'.repeat(64);
  const cover = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#00f' } })
    .webp()
    .toBuffer();
  await openFolderStore(dataDir).put(`${key}-640.webp`, cover);
  await db
    .insertInto('picture')
    .values({ picture_key: key, width: 640, height: 360, widths: [320, 640] })
    .execute();
  await db.updateTable('plugin').set({ cover_key: key }).where('plugin_key', '=', 'grid-maker').execute();
  const changed = await read('grid-maker/en-US.jpg', { 'if-none-match': etag });
  t.equal(changed.status, 200);
  const spot = await sharp(new Uint8Array(await changed.arrayBuffer()))
    .extract({ left: 800, top: 300, width: 1, height: 1 })
    .raw()
    .toBuffer();
  t.ok((spot[2] ?? 0) > 200 && (spot[0] ?? 255) < 60, 'with its cover');
});

t.test('a cover that the store has lost is left out', async (t) => {
  const picture_key = 'e'.repeat(64);
  await db
    .insertInto('picture')
    .values({ picture_key, width: 640, height: 360, widths: [640] })
    .execute();
  await addPlugin(db, { key: 'lost-cover' });
  await db
    .updateTable('plugin')
    .set({ cover_key: picture_key })
    .where('plugin_key', '=', 'lost-cover')
    .execute();
  t.equal((await read('lost-cover/en-US.jpg')).status, 200);
});

t.test('many who ask at the same time get the same picture', async (t) => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => read('grid-maker/es-ES.jpg')));
  t.strictSame([...new Set(answers.map(({ status }) => status))], [200]);
  const bytes = await Promise.all(answers.map(async (answer) => (await answer.arrayBuffer()).byteLength));
  t.equal(new Set(bytes).size, 1);
});

const refused: [title: string, path: string, status: number, code: string][] = [
  ['an unknown plugin', 'no-such-plugin/en-US.jpg', 404, 'PLUGIN_NOT_FOUND'],
  ['one that waits for its review', 'waiting-one/en-US.jpg', 404, 'PLUGIN_NOT_FOUND'],
  ['a hidden one', 'hidden-one/en-US.jpg', 404, 'PLUGIN_NOT_FOUND'],
  ['an unknown language', 'grid-maker/fr-FR.jpg', 400, 'VALIDATION_FAILED'],
  ['another kind of file', 'grid-maker/en-US.png', 400, 'VALIDATION_FAILED'],
  ['a version that is none', 'grid-maker/en-US.jpg?v=..%2F', 400, 'VALIDATION_FAILED'],
  ['a key that is none', 'x%27or/en-US.jpg', 400, 'VALIDATION_FAILED'],
];
for (const [title, path, status, code] of refused) {
  t.test(`no picture for ${title}`, async (t) => {
    const response = await read(path);
    t.equal(response.status, status);
    t.match(await response.json(), { code, message: String });
    t.equal(response.headers.get('cache-control'), null);
  });
}
