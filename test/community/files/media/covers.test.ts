import sharp from 'sharp';
import t from 'tap';
import { openFolderStore } from '../../../../server/community/files/media/files.ts';
import {
  createCoverFilling,
  type generateCover,
} from '../../../../server/community/files/media/generated-cover.ts';
import { openPictures } from '../../../../server/community/files/media/pictures.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../../server/community/schema.ts';
import { appError } from '../../../../server/http/errors.ts';
import { testFolder } from '../../../support/community.ts';
import { testDatabase } from '../../../support/database.ts';
import { addPlugin } from '../../add-plugin.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Another picture for each plugin, in a hundredth of the time of a real cover. */
function drawSmall(_icon: Uint8Array | null, key: string): Promise<Buffer> {
  const background = { r: Number(key.replace('plugin-', '')), g: 0, b: 0 };
  return sharp({ create: { width: 32, height: 18, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Plugins without a cover, a store that can be full, and a clock to turn. */
async function setUp(
  t: Parameters<typeof testDatabase>[0],
  { plugins = 10, draw }: { plugins?: number; draw?: typeof generateCover } = {},
) {
  const given = { schema: COMMUNITY_SCHEMA, migrations: communityMigrations, name: 'covers' };
  const { db } = await testDatabase<CommunityTables>(t, given);
  const files = openFolderStore(await testFolder(t));
  const state = { isFull: false, refused: '', now: Date.UTC(2026, 0, 1), puts: 0 };
  const pictures = openPictures({
    ...files,
    async put(name, content) {
      state.puts += 1;
      if (state.isFull) throw appError('STORAGE_FULL');
      await files.put(name, content);
    },
  });
  const reading = {
    ...files,
    async get(name: string) {
      if (name.startsWith(state.refused) && state.refused !== '') throw appError('UPSTREAM_UNAVAILABLE');
      return files.get(name);
    },
  };
  for (let number = 0; number < plugins; number += 1) await addPlugin(db, { key: `plugin-${number}` });
  const lines: unknown[] = [];
  const log = {
    warn: (...said: unknown[]) => void lines.push(['warn', ...said]),
    info: (...said: unknown[]) => void lines.push(['info', ...said]),
  };
  const fill = createCoverFilling(
    { db, files: reading, pictures, now: () => state.now, ...(draw && { draw }) },
    log,
  );
  const covered = async () =>
    (
      await db
        .selectFrom('plugin')
        .select('plugin_key')
        .where('generated_cover_key', 'is not', null)
        .execute()
    ).length;
  return { db, pictures, state, lines, fill, covered };
}

t.test('with a full store the pauses grow, and one line says so', async (t) => {
  const { state, lines, fill, covered } = await setUp(t, { plugins: 40, draw: drawSmall });
  state.isFull = true;
  const waits: number[] = [];
  for (let run = 0; run < 10; run += 1) {
    const { wait } = await fill();
    waits.push(wait / SECOND);
    state.now += wait;
  }
  t.strictSame(waits, [6, 12, 24, 48, 96, 192, 384, 600, 600, 600]);
  t.equal(state.puts, 40, 'four files are tried in a run');
  t.equal(await covered(), 0);
  t.match(lines, [
    [
      'warn',
      { plugin: 'plugin-0', err: { code: 'STORAGE_FULL' } },
      'a cover cannot be generated; it is tried again later',
    ],
  ]);
  t.equal(lines.length, 1);
  state.isFull = false;
  state.now += 10 * MINUTE;
  for (let run = 0; run < 10; run += 1) t.strictSame(await fill(), { made: 4, wait: 0 });
  t.strictSame(await fill(), { made: 0, wait: 3 * SECOND });
  t.equal(await covered(), 40);
  t.strictSame(lines.slice(1), [['info', 'covers are generated again']]);
});

t.test('plugins whose cover fails do not hold up the others', async (t) => {
  const { db, pictures, state, lines, fill, covered } = await setUp(t);
  const content = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#3366ff' } })
    .png()
    .toBuffer();
  const { key, width, height, widths, bytes } = await pictures.keep({ content, role: 'icon' });
  await db.insertInto('picture').values({ picture_key: key, width, height, widths, bytes }).execute();
  const broken = ['plugin-0', 'plugin-1', 'plugin-2', 'plugin-3'];
  await db.updateTable('plugin').set({ icon_key: key }).where('plugin_key', 'in', broken).execute();
  state.refused = key;
  t.strictSame(await fill(), { made: 0, wait: 6 * SECOND });
  t.strictSame(
    [await fill(), await fill(), await fill()].map(({ made }) => made),
    [4, 2, 0],
  );
  t.equal(await covered(), 6);
  t.equal(lines.length, 2, 'one warning, and that it goes on');
  state.refused = '';
  t.strictSame(await fill(), { made: 0, wait: 3 * SECOND }, 'they wait a minute');
  state.now += MINUTE;
  t.strictSame(await fill(), { made: 4, wait: 0 });
  t.equal(await covered(), 10);
});
