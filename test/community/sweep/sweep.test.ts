import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { openFolderStore } from '../../../server/community/files/media/files.ts';
import { openPictures } from '../../../server/community/files/media/pictures.ts';
import { openS3Store } from '../../../server/community/files/media/s3/store.ts';
import { insertFiles, insertPictures } from '../../../server/community/files/media/store.ts';
import { preparePackage, storedName, storeFile } from '../../../server/community/files/media/stored-files.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables, Db } from '../../../server/community/schema.ts';
import { withSweepLock } from '../../../server/community/sweep/store.ts';
import { sweep } from '../../../server/community/sweep/sweep.ts';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { startFakeBucket } from '../../support/fake-bucket.ts';
import { addPlugin } from '../add-plugin.ts';

t.test('what is deleted', async (t) => {
  const HOUR = 3_600_000;
  const silent = pino({ level: 'silent' });
  const NOTHING = { rows: 0, files: 0, bytes: 0, drafts: 0, uploads: 0, notices: 0, missing: 0 };
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR);

  async function setUp(t: Test) {
    const { db, pool } = await testDatabase<CommunityTables>(t, {
      schema: COMMUNITY_SCHEMA,
      migrations: communityMigrations,
      name: 'sweep',
    });
    const dataDir = await testFolder(t);
    const files = openFolderStore(dataDir);
    const run = (options: { dryRun?: boolean; log?: typeof silent } = {}) =>
      sweep({ db, files, dataDir, now: Date.now, log: silent, ...options });
    const names = async () => (await Array.fromAsync(files.list())).map(({ name }) => name).sort();
    /** Makes a stored file as old as that. */
    const age = async (name: string, hours: number) => {
      const at = hoursAgo(hours);
      await utimes(join(dataDir, 'files', name.slice(0, 2), name.slice(2, 4), name), at, at);
    };
    return { db, pool, dataDir, files, run, names, age };
  }

  type Scene = Awaited<ReturnType<typeof setUp>>;

  let made = 0;

  /** A stored picture with its row, as old as that. */
  async function addPicture({ db, files, age }: Scene, hours: number): Promise<string> {
    made += 1;
    const content = await sharp({ create: { width: 330, height: made, channels: 3, background: '#3366ff' } })
      .png()
      .toBuffer();
    const picture = await openPictures(files).keep({ content });
    await insertPictures(db, [picture]);
    await db
      .updateTable('picture')
      .set({ created_at: hoursAgo(hours) })
      .where('picture_key', '=', picture.key)
      .execute();
    for (const width of picture.widths) await age(`${picture.key}-${width}.webp`, hours);
    return picture.key;
  }

  /** A stored package with its row, as old as that. */
  async function addPackage({ db, files, age }: Scene, hours: number): Promise<string> {
    made += 1;
    const file = await storeFile(files, preparePackage(Buffer.from(`{"number":${made}}`)));
    await insertFiles(db, [file]);
    await db
      .updateTable('stored_file')
      .set({ created_at: hoursAgo(hours) })
      .where('file_key', '=', file.key)
      .execute();
    await age(storedName(file), hours);
    return file.key;
  }

  async function keysIn(db: Db): Promise<string[]> {
    const pictures = await db.selectFrom('picture').select('picture_key').execute();
    const files = await db.selectFrom('stored_file').select('file_key').execute();
    return [...pictures.map((row) => row.picture_key), ...files.map((row) => row.file_key)].sort();
  }

  t.test('nothing to do', async (t) => {
    t.strictSame(await (await setUp(t)).run(), NOTHING);
  });

  t.test('removes files without a row after a day', async (t) => {
    const { files, run, names, age } = await setUp(t);
    const [old, young, wide] = [
      `${'ab'.repeat(32)}.mp4`,
      `${'cd'.repeat(32)}.json`,
      `${'ef'.repeat(32)}-320.webp`,
    ];
    for (const name of [old, young, wide]) await files.put(name, Buffer.from('12345'));
    await age(old, 25);
    await age(young, 23);
    await age(wide, 200);
    t.strictSame(await run({ dryRun: true }), { ...NOTHING, files: 2, bytes: 10 });
    t.equal((await names()).length, 3, 'a dry run removes nothing');
    t.strictSame(await run(), { ...NOTHING, files: 2, bytes: 10 });
    t.strictSame(await names(), [young]);
    t.strictSame(await run(), NOTHING);
  });

  t.test('a width that is not in the row counts as without a row', async (t) => {
    const scene = await setUp(t);
    const key = await addPicture(scene, 0);
    await scene.files.put(`${key}-640.webp`, Buffer.from('x'));
    await scene.age(`${key}-640.webp`, 30);
    await scene.age(`${key}-320.webp`, 30);
    t.hasStrict(await scene.run(), { rows: 0, files: 1 });
    t.strictSame(await scene.names(), [`${key}-320.webp`]);
  });

  t.test('pictures with an older, longer name stay', async (t) => {
    const { db, files, age, run, names } = await setUp(t);
    const key = 'ab'.repeat(32);
    await files.put(`${key}-320.webp`, Buffer.from('x'));
    await age(`${key}-320.webp`, 30);
    await insertPictures(db, [{ key, width: 330, height: 1, widths: [320], bytes: 1 }]);
    t.strictSame(await run(), NOTHING);
    t.strictSame(await names(), [`${key}-320.webp`]);
  });

  t.test('removes drafts and left-over uploads after a day', async (t) => {
    const { dataDir, files, run } = await setUp(t);
    const folder = join(dataDir, 'files', 'ab', 'ab');
    await files.put(`${'ab'.repeat(32)}.mp4`, Buffer.from('x'));
    await mkdir(join(dataDir, 'uploads'));
    const paths = [join(folder, '.half'), join(dataDir, 'uploads', 'left')];
    for (const path of paths) {
      await writeFile(path, 'half');
      await writeFile(`${path}-young`, 'half');
      await utimes(path, hoursAgo(25), hoursAgo(25));
    }
    t.hasStrict(await run({ dryRun: true }), { drafts: 1, uploads: 1 });
    t.hasStrict(await run(), { drafts: 1, uploads: 1 });
    t.strictSame((await readdir(folder)).sort(), ['.half-young', `${'ab'.repeat(32)}.mp4`]);
    t.strictSame(await readdir(join(dataDir, 'uploads')), ['left-young']);
  });

  t.test('old rows that nothing names go with their files', async (t) => {
    const scene = await setUp(t);
    const { db, run, names } = scene;
    await addPicture(scene, 30);
    await addPackage(scene, 30);
    const young = [await addPicture(scene, 20), await addPackage(scene, 20)].sort();
    t.hasStrict(await run({ dryRun: true }), { rows: 2, files: 0 });
    t.equal((await keysIn(db)).length, 4, 'a dry run deletes nothing');
    t.hasStrict(await run(), { rows: 2, files: 0, missing: 0 });
    t.strictSame(await keysIn(db), young);
    t.equal((await names()).length, 2);
  });

  t.test('more rows than go in one transaction', async (t) => {
    const scene = await setUp(t);
    for (let number = 0; number < 120; number += 1) await addPackage(scene, 30);
    t.hasStrict(await scene.run({ dryRun: true }), { rows: 120 });
    t.hasStrict(await scene.run(), { rows: 120 });
    t.strictSame(await scene.names(), []);
  });

  t.test('what anything names stays, however old', async (t) => {
    const scene = await setUp(t);
    const { db, pool, run } = scene;
    const picture = () => addPicture(scene, 900);
    const pluginId = await addPlugin(db, { key: 'square-lenses' });
    const places: [sql: string, key: string][] = [
      ['update plugin set icon_key = $1', await picture()],
      ['update plugin set cover_key = $1', await picture()],
      ['update plugin set panel_key = $1', await picture()],
      ['update plugin_version set package_key = $1', await addPackage(scene, 900)],
      [
        `insert into plugin_media (plugin_id, position, picture_key) values (${pluginId}, 1, $1)`,
        await picture(),
      ],
      [
        `insert into plugin_media (plugin_id, position, file_key) values (${pluginId}, 2, $1)`,
        await addPackage(scene, 900),
      ],
      [
        `insert into submission_file (submission_id, picture_key) select id, $1 from submission`,
        await picture(),
      ],
      [
        `insert into submission_file (submission_id, file_key) select id, $1 from submission`,
        await addPackage(scene, 900),
      ],
      [`insert into banner (default_lang, picture_key) values ('en-US', $1)`, await picture()],
      [`insert into qr_code (name, picture_key) values ('group', $1)`, await picture()],
      ['insert into activity (id, cover_key) values (30, $1)', await picture()],
      [
        `insert into featured_work (title, default_lang, author, url, picture_key)
        values ('{}', 'en-US', 'Ada', '/', $1)`,
        await picture(),
      ],
    ];
    await pool.query(`
    insert into submission (plugin_id, plugin_version_id, brings_version, is_first, listing, created_by)
      select plugin_id, id, true, true, '{}', 100 from plugin_version`);
    for (const [text, key] of places) await pool.query(text, [key]);
    const kept = await keysIn(db);
    t.equal(kept.length, places.length);
    t.strictSame(await run(), NOTHING);
    t.strictSame(await keysIn(db), kept);
  });

  t.test('every column that names pictures or files is one of those', async (t) => {
    const { pool } = await setUp(t);
    const { rows } = await pool.query(
      `select conrelid::regclass || '' as t from pg_constraint
      where contype = 'f' and confrelid in ('picture'::regclass, 'stored_file'::regclass)`,
    );
    const { rows: columns } = await pool.query(
      `select table_name || '.' || column_name as c from information_schema.columns
      where table_schema = 'community' and table_name not in ('picture', 'stored_file')
        and (column_name in ('picture_key', 'file_key', 'package_key') or column_name ~ '^(icon|cover|generated_cover|panel)_key$')`,
    );
    t.equal(rows.length, columns.length, 'each has a foreign key');
  });

  t.test('a row whose file is missing is warned of', async (t) => {
    const scene = await setUp(t);
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const key = await addPicture(scene, 1);
    await addPackage(scene, 1);
    t.strictSame(await scene.run({ log }), NOTHING);
    await rm(join(scene.dataDir, 'files', key.slice(0, 2)), { recursive: true });
    t.hasStrict(await scene.run({ log }), { missing: 1, rows: 0 });
    t.hasStrict(JSON.parse(lines[0] ?? '{}'), {
      msg: 'a file of the database is missing in the store',
      file: `${key}-320.webp`,
    });
    t.equal(lines.length, 1);
  });

  t.test('a bucket is listed, and asked for no file', async (t) => {
    const { db, pool, dataDir } = await setUp(t);
    const bucket = await startFakeBucket(t);
    const files = await openS3Store({ settings: bucket.settings, log: silent, now: Date.now });
    t.teardown(() => files.close());
    await pool.query(
      `insert into stored_file (file_key, extension, mime_type, bytes, created_at)
        select encode(sha256(n::text::bytea), 'hex'), 'json', 'application/json', 1, now() - interval '2 hours'
          from generate_series(1, 20000) n`,
    );
    const { rows } = await pool.query<{ name: string }>(
      `select file_key || '.json' as name from stored_file`,
    );
    const old = hoursAgo(30);
    for (const { name } of rows) bucket.objects.set(`files/${name}`, old);
    const [gone = { name: '' }] = rows;
    bucket.objects.delete(`files/${gone.name}`);
    const stray = `${'ab'.repeat(32)}.mp4`;
    bucket.objects.set(`files/${stray}`, old);
    bucket.objects.set(`files/${'cd'.repeat(32)}.mp4`, new Date());
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const run = () => sweep({ db, files, dataDir, now: Date.now, log });

    t.strictSame(await run(), { ...NOTHING, files: 1, bytes: 1, missing: 1 });
    t.strictSame(
      lines.map((line) => JSON.parse(line).file),
      [gone.name],
    );
    t.equal(bucket.objects.size, 20_000, 'the stray file is removed, the young one stays');
    const { 'GET bucket': listings = 0, ...others } = bucket.counts;
    t.ok(listings >= 16 && listings <= 50, `${listings} pages of 20,000 files`);
    t.strictSame(others, {
      'HEAD bucket': 1,
      'GET uploads': 1,
      'HEAD object': 2,
      'PUT object': 1,
      'DELETE object': 2,
    });
  });

  t.test('a row that is younger than the listing is not missed', async (t) => {
    const scene = await setUp(t);
    await insertFiles(scene.db, [preparePackage(Buffer.from('{}')).file]);
    t.strictSame(await scene.run(), NOTHING);
  });

  t.test('only one instance sweeps at a time', async (t) => {
    const { db, run } = await setUp(t);
    const locked = await withSweepLock(db, async () => ({ second: await run() }));
    t.strictSame(locked, { second: undefined });
  });

  t.test('a sweep stops on abort', async (t) => {
    const scene = await setUp(t);
    await addPackage(scene, 30);
    const { db, files, dataDir } = scene;
    t.hasStrict(
      await sweep({ db, files, dataDir, now: Date.now, log: silent, signal: AbortSignal.abort() }),
      {
        rows: 0,
      },
    );
    t.equal((await keysIn(db)).length, 1);
    t.hasStrict(await scene.run(), { rows: 1 }, 'the next one goes on');
  });
});
