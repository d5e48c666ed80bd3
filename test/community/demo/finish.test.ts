import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import t from 'tap';
import { loadCatalogue } from '../../../server/community/demo/catalogue.ts';
import { openFolderStore } from '../../../server/community/media/files.ts';
import { insertPictures } from '../../../server/community/media/store.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { finishDemo } from '../../../server/community/seed/finish.ts';
import { handInDemo } from '../../../server/community/seed/handed-in/hand-in.ts';
import { loadDemo } from '../../../server/community/seed/load.ts';
import { storePackages } from '../../../server/community/seed/packages/store-packages.ts';
import { hang } from '../../../server/community/seed/paint/store.ts';
import { readDemoState, writeDemoState } from '../../../server/community/seed/store.ts';
import { sweep } from '../../../server/community/sweep/sweep.ts';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';

const log = pino({ level: 'silent' });
const { db, pool } = await testDatabase<CommunityTables>(t, {
  schema: COMMUNITY_SCHEMA,
  migrations: communityMigrations,
  name: 'demo',
});
const dataDir = await testFolder(t);
const files = openFolderStore(dataDir);
const catalogue = loadCatalogue();
const never = new AbortController().signal;
await loadDemo(db, { log, now: Date.now });

async function one(text: string): Promise<Record<string, unknown>> {
  return (await pool.query(text)).rows[0];
}

async function missing(): Promise<number | undefined> {
  return (await sweep({ db, files, dataDir, now: Date.now, log, dryRun: true }))?.missing;
}

t.test('every plugin of the demo has passed with what was handed in for it', async (t) => {
  const { rows } = await pool.query(`
    select p.plugin_key, s.listing, s.audit_status, s.plugin_version_id = p.current_version_id as is_current,
        s.decided_at > s.created_at as is_decided, s.is_superseded
      from plugin p left join submission s on s.plugin_id = p.id`);
  t.equal(rows.length, catalogue.plugins.length);
  for (const row of rows) {
    t.match(
      row,
      { audit_status: 2, is_current: true, is_decided: true, is_superseded: false },
      row.plugin_key,
    );
    const plugin = catalogue.plugins.find(({ slug }) => row.plugin_key === `square-${slug}`);
    t.match(row.listing, { name: plugin?.name, tags: plugin?.tags, icon_key: null, media: [] });
  }
});

t.test('a picture is hung in what was handed in, too', async (t) => {
  const key = 'ab'.repeat(32);
  await insertPictures(db, [{ key, width: 64, height: 64, widths: [64], bytes: 9 }]);
  await hang(db, { table: 'icon', pluginKey: 'square-se' }, key);
  await hang(db, { table: 'icon', pluginKey: 'square-se' }, 'cd'.repeat(32));
  t.same(
    await one(`
      select p.icon_key, s.listing ->> 'icon_key' as listed, f.picture_key from plugin p
        join submission s on s.plugin_id = p.id left join submission_file f on f.submission_id = s.id
        where p.plugin_key = 'square-se'`),
    { icon_key: key, listed: key, picture_key: key },
  );
  await pool.query(`update plugin set icon_key = null; delete from submission_file; delete from picture;
    update submission set listing = jsonb_set(listing, '{icon_key}', 'null')`);
});

t.test('packages come in order, and never a row without its file', { timeout: 120_000 }, async (t) => {
  const stop = new AbortController();
  const counted = {
    ...files,
    put: async (name: string, content: Uint8Array | AsyncIterable<Uint8Array>) => {
      if ((await Array.fromAsync(files.list())).length > 30) stop.abort();
      await files.put(name, content);
    },
  };
  await storePackages({ db, files: counted }, catalogue.plugins, stop.signal);
  const half = Number((await one('select count(package_key) from plugin_version')).count);
  t.ok(half > 0 && half < 100, `${half} when it was stopped`);
  t.equal(await missing(), 0);
  await storePackages({ db, files }, catalogue.plugins, never);
  t.match(await one('select count(*) from plugin_version where package_key is null'), { count: 0 });
  t.equal(await missing(), 0);
  const { rows } = await pool.query(`
    select v.version, v.package_key, v.package_bytes, v.package_manifest, p.stored_bytes from plugin_version v
      join plugin p on p.id = v.plugin_id where p.plugin_key = 'square-picture-wall' order by v.id`);
  let total = 0;
  for (const row of rows) {
    const file = await files.get(`${row.package_key}.json`);
    const bytes = file ? await buffer(file.stream()) : Buffer.alloc(0);
    t.equal(bytes.length, row.package_bytes);
    t.match(checkPackage(bytes).package, { version: row.version, manifest: row.package_manifest });
    total += row.package_bytes;
  }
  t.equal(rows[0]?.stored_bytes, total);
});

t.test('what waits for review is handed in once', { timeout: 120_000 }, async (t) => {
  await handInDemo({ db, files, log }, catalogue, never);
  const state = `
    select count(*) filter (where audit_status = 1 and not is_superseded) as waiting,
        count(*) filter (where audit_status = 3) as refused,
        count(*) filter (where is_first and audit_status <> 2) as new_ones,
        count(*) filter (where not brings_version) as listings
      from submission`;
  const expected = { waiting: 6, refused: 2, new_ones: 4, listings: 1 };
  t.match(await one(state), expected);
  await handInDemo({ db, files, log }, catalogue, never);
  t.match(await one(state), expected, 'again changes nothing');
  t.match(await one('select count(*) from review where audit_status = 3'), { count: 2 });
  t.match(await one('select count(*) from plugin where is_visible'), { count: catalogue.plugins.length });
  t.match(
    await one('select count(*) from plugin where current_version_id is null and icon_key is not null'),
    { count: 4 },
  );
  t.match(await one("select count(*) from plugin_version where version = '0.8.0' and audit_status = 3"), {
    count: 1,
  });
  t.match(
    await one("select count(*) from plugin where plugin_key = 'square-live-numbers' and audit_status = 2"),
    { count: 1 },
  );
  t.equal(await missing(), 0);
  const { rows } = await pool.query(
    'select distinct f.code from submission, jsonb_to_recordset(findings) as f (code text)',
  );
  const found = rows.map(({ code }) => code);
  for (const code of ['HOST_UNDECLARED', 'EVAL_USED']) t.ok(found.includes(code), code);
});

t.test('the demo is finished once', async (t) => {
  t.equal(await readDemoState(db), 'rows');
  await writeDemoState(db, 'pictures');
  await finishDemo({ db, files, log }, AbortSignal.abort());
  t.equal(await readDemoState(db), 'pictures', 'not when it was stopped');
  await finishDemo({ db, files, log }, never);
  t.equal(await readDemoState(db), 'complete');
});
