import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import sharp from 'sharp';
import t from 'tap';
import { openFolderStore } from '../../../server/community/media/files.ts';
import { fillCovers, generateCover } from '../../../server/community/media/generated-cover.ts';
import { openPictures } from '../../../server/community/media/pictures.ts';
import { insertPictures } from '../../../server/community/media/store.ts';
import { communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { contract } from '../../../shared/contract.ts';
import { testCommunity, testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { addPlugin } from '../add-plugin.ts';
import { ask, dataOf } from '../ask.ts';

const square = (color: string) =>
  sharp({ create: { width: 320, height: 320, channels: 3, background: color } })
    .png()
    .toBuffer();

/** The mean colour of a cover near its left edge, where no icon stands. */
async function groundOf(cover: Uint8Array): Promise<{ r: number; g: number; b: number }> {
  const { channels } = await sharp(cover).extract({ left: 0, top: 0, width: 1280, height: 90 }).stats();
  const [r = 0, g = 0, b = 0] = channels.map(({ mean }) => mean);
  return { r, g, b };
}

t.test('covers have the colours of the icon', async (t) => {
  const blue = await square('#1f4fe0');
  const red = await square('#d8262c');
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const cover = await generateCover(blue, key);
    const { width, height, format } = await sharp(cover).metadata();
    t.strictSame({ width, height, format }, { width: 1280, height: 720, format: 'png' });
    const [cold, warm] = [await groundOf(cover), await groundOf(await generateCover(red, key))];
    t.ok(cold.b > cold.r, `${key}: blue is ${JSON.stringify(cold)}`);
    t.ok(warm.r > warm.b, `${key}: red is ${JSON.stringify(warm)}`);
  }
});

t.test('covers without an icon, or with a grey one, are coloured', async (t) => {
  const grey = await square('#8a8a8a');
  for (const cover of [await generateCover(grey, 'one'), await generateCover(null, 'one')]) {
    const { channels } = await sharp(cover).stats();
    const means = channels.map(({ mean }) => mean);
    t.ok(Math.max(...means) - Math.min(...means) > 10, means.join());
  }
});

t.test('generates missing covers', async (t) => {
  const { db } = await testDatabase<CommunityTables>(t, {
    schema: 'community',
    migrations: communityMigrations,
    name: 'covers',
  });
  const files = openFolderStore(await testFolder(t));
  const pictures = openPictures(files);
  const warnings: unknown[] = [];
  const fill = () =>
    fillCovers({ db, files, pictures }, { warn: (...said: unknown[]) => warnings.push(said) });
  const keep = async (color: string, role: 'icon' | 'picture') => {
    const kept = await pictures.keep({ content: await square(color), role });
    await insertPictures(db, [kept]);
    return kept.key;
  };
  const state = (id: number) =>
    db
      .selectFrom('plugin')
      .select(['cover_key', 'generated_cover_key', 'generated_from'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const [blue, red, own] = [
    await keep('#1f4fe0', 'icon'),
    await keep('#d8262c', 'icon'),
    await keep('#ffffff', 'picture'),
  ];
  const id = await addPlugin(db, { key: 'without-cover' });
  const set = (values: { icon_key?: string | null; cover_key?: string | null }) =>
    db.updateTable('plugin').set(values).where('id', '=', id).execute();

  t.test('from the icon, once', async (t) => {
    await set({ icon_key: blue });
    t.equal(await fill(), 1);
    const made = await state(id);
    t.equal(made.generated_from, blue);
    const file = await files.get(`${made.generated_cover_key}-1280.webp`);
    t.ok(file);
    if (file) t.hasStrict(await sharp(await buffer(file.stream())).metadata(), { width: 1280, height: 720 });
    t.equal(await fill(), 0, 'nothing is made again');
  });

  t.test('again when the icon changes', async (t) => {
    const before = await state(id);
    await set({ icon_key: red });
    t.equal(await fill(), 1);
    const after = await state(id);
    t.equal(after.generated_from, red);
    t.not(after.generated_cover_key, before.generated_cover_key);
  });

  t.test('not with a cover of the publisher, and again after its removal', async (t) => {
    await set({ cover_key: own, icon_key: blue });
    t.equal(await fill(), 0);
    await set({ cover_key: null });
    t.equal(await fill(), 1);
    t.equal((await state(id)).generated_from, blue);
  });

  t.test('also for an icon that cannot be decoded', async (t) => {
    await files.remove(`${blue}-320.webp`, new Date(Date.now() + 60_000));
    await files.put(`${blue}-320.webp`, Buffer.from('no picture'));
    const other = await addPlugin(db, { key: 'broken-icon' });
    await db.updateTable('plugin').set({ icon_key: blue }).where('id', '=', other).execute();
    t.equal(await fill(), 1);
    t.ok((await state(other)).generated_cover_key);
    t.match(warnings, [[{ plugin: 'broken-icon' }, 'the icon cannot be used for a cover']]);
  });

  t.test('found by a partial index', async (t) => {
    await sql`set enable_seqscan = off`.execute(db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select p.id from plugin p
        where p.cover_key is null and p.deleted_at is null
          and p.generated_from is distinct from coalesce(p.icon_key, '') order by p.id limit 4`.execute(db);
    t.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /plugin_without_cover/);
  });
});

t.test('lists and the page show the generated cover', async (t) => {
  const community = await testCommunity(t);
  const id = await addPlugin(community.db, { key: 'shown-cover' });
  const made = { picture_key: 'c'.repeat(32), width: 1280, height: 720, widths: [320, 640, 1280] };
  await community.db.insertInto('picture').values(made).execute();
  await community.db
    .updateTable('plugin')
    .set({ generated_cover_key: made.picture_key, generated_from: '' })
    .where('id', '=', id)
    .execute();
  const expected = { key: made.picture_key, width: 1280, height: 720, widths: [320, 640, 1280] };
  const page = dataOf(await ask(community.url, 'plugin?plugin_key=shown-cover'), contract.readPlugin.data);
  t.strictSame(page.cover, expected);
  const list = dataOf(await ask(community.url, 'plugin/list?tag_id=0&limit=5'), contract.listPlugins.data);
  t.strictSame(
    list.plugin_list.map(({ cover }) => cover),
    [expected],
  );
});
