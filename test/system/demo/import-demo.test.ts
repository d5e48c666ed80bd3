import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import t from 'tap';
import { loadCatalogue } from '../../../demo/catalogue.ts';
import { DEMO, importSite } from '../../../server/community/bundle/import-site.ts';
import { aggregateChanges } from '../../../server/community/catalogue/counters/store.ts';
import { openFolderStore } from '../../../server/community/files/media/files.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { sweep } from '../../../server/community/sweep/sweep.ts';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';

const lines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
const { db, pool } = await testDatabase<CommunityTables>(t, {
  schema: COMMUNITY_SCHEMA,
  migrations: communityMigrations,
  name: 'demo',
});
const dataDir = await testFolder(t);
const files = openFolderStore(dataDir);
const told: string[] = [];
const tell = (line: string): void => void told.push(line);
const parts = { db, files, dataDir, log, now: Date.now, tell };
const filling = "select value from setting where name = 'filling'";
const catalogue = loadCatalogue();
const { plugins } = catalogue;
const one = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>> =>
  (await pool.query(text, values)).rows[0];
const missing = async () => (await sweep({ ...parts, dryRun: true }))?.missing;
const state = "select value from setting where name = 'demo_catalogue'";

const start = (given: Partial<typeof parts> = {}) => importSite({ ...DEMO, ...parts, ...given });
const EMPTY = [
  'plugin',
  'submission',
  'person',
  'tag',
  'banner',
  'featured_work',
  'picture',
  'audit_trail',
  'collection',
];
const counted = async () => {
  const counts = EMPTY.map((table) => one(`select count(*)::int from ${table}`));
  return (await Promise.all(counts)).map(({ count }) => count);
};

t.test('an interrupted first start leaves nothing of the demo', async (t) => {
  const nothing = EMPTY.map(() => 0);
  const nothingNow = async (what: string) => {
    t.strictSame(await counted(), nothing, what);
    t.equal(await one(state), undefined, what);
    t.equal(await one(filling), undefined, what);
  };
  let left = 300;
  const put = async (name: string, content: Uint8Array | AsyncIterable<Uint8Array>) => {
    left -= 1;
    if (left < 0) throw new Error('no space');
    await files.put(name, content);
  };
  await t.rejects(start({ files: { ...files, put } }), { message: 'no space' });
  t.ok((await Array.fromAsync(files.list())).length > 0);
  await nothingNow('while its files were stored');
  const stopAt = (line: string) => (said: string) => {
    told.push(said);
    if (said === line) throw new Error('stopped');
  };
  await t.rejects(start({ tell: stopAt('Demo: 39 of 65 plugins') }), { message: 'stopped' });
  await nothingNow('while its plugins were added');
  t.equal(told.at(-1), 'Demo: 39 of 65 plugins, nothing imported');
});

t.test('the next start imports all of it, one instance at a time', async (t) => {
  told.length = 0;
  const done = await Promise.all([start(), start()]);
  t.strictSame(done.toSorted(), [false, true]);
  t.equal(told[0], 'Demo: 0 of 65 plugins');
  t.equal(told.at(-1), 'Demo: 65 of 65 plugins, complete');
  t.hasStrict(await one(state), { value: 'complete' });
  t.equal(await one(filling), undefined);
  t.match(await one('select count(*) from plugin where is_visible'), { count: plugins.length });
  const unnamed = 'select count(*)::int from plugin where id not in (select plugin_id from plugin_text)';
  t.hasStrict(await one(unnamed), { count: 0 }, 'those that wait for review have their texts too');
  t.equal(await missing(), 0);
  t.strictSame(lines, []);
});

t.test('the latest plugins come first', async (t) => {
  const { rows } = await pool.query(
    'select plugin_key from plugin where is_visible order by updated_at desc limit 8',
  );
  const newest = plugins.toSorted((a, b) => a.updated_days_ago - b.updated_days_ago);
  const days = ({ plugin_key }: { plugin_key: string }) =>
    newest.find(({ slug }) => plugin_key === `square-${slug}`)?.updated_days_ago;
  t.strictSame(
    rows.map(days),
    newest.slice(0, 8).map(({ updated_days_ago }) => updated_days_ago),
  );
  t.hasStrict(await one('select count(*) from plugin where updated_at > now()'), { count: 0 });
});

t.test('every version was submitted with its package and approved', async (t) => {
  const { rows } = await pool.query(`
    select p.plugin_key, v.version, v.package_key, v.package_manifest, s.decided_by, s.created_by = p.publisher_id as is_own, s.listing,
        s.decided_at - s.created_at = interval '2 hours' as is_decided,
        (select detail->>'signed_by' from audit_trail where target_kind = 'plugin' and target_id = p.plugin_key
          and action = 'plugin.import') as signed_by
      from plugin p join plugin_version v on v.plugin_id = p.id join submission s on s.plugin_version_id = v.id
      where s.audit_status = 2 and s.brings_version`);
  t.equal(rows.length, plugins.flatMap(({ versions }) => versions).length);
  for (const { plugin_key, version, package_key, package_manifest, ...row } of rows) {
    const plugin = plugins.find(({ slug }) => plugin_key === `square-${slug}`);
    const listing = { name: plugin?.name, tags: plugin?.tags, plugin_mark: plugin?.plugin_mark ?? '' };
    const expected = {
      decided_by: 9_000_000_009_013,
      is_own: true,
      is_decided: true,
      signed_by: DEMO.trusted,
      listing,
    };
    t.hasStrict(row, expected, `${plugin_key} ${version}`);
    const file = await files.get(`${package_key}.json`);
    const bytes = file ? await buffer(file.stream()) : Buffer.alloc(0);
    t.hasStrict(checkPackage(bytes).package, { version, manifest: package_manifest });
  }
});

t.test('plugins have dates, counters and recommendations', async (t) => {
  const { rows } = await pool.query(`
    select p.plugin_key, c.praise_count, c.install_count, c.view_count, r.position is not null as is_recommended,
        round(extract(epoch from now() - p.updated_at) / 86400) as days
      from plugin p join plugin_counter c on c.plugin_id = p.id left join recommendation r on r.plugin_id = p.id
      where p.is_visible`);
  for (const { plugin_key, days, ...row } of rows) {
    const plugin = plugins.find(({ slug }) => plugin_key === `square-${slug}`);
    t.strictSame(
      row,
      {
        praise_count: plugin?.likes,
        install_count: plugin?.installs,
        view_count: plugin?.views,
        is_recommended: plugin?.recommended ?? false,
      },
      plugin_key,
    );
    t.ok(Math.abs(Number(days) - (plugin?.updated_days_ago ?? 0)) <= 1, `${plugin_key} ${days} days`);
  }
});

t.test('at least thirty plugins have a gallery, and three have slots', async (t) => {
  const { rows } = await pool.query(`
    select p.plugin_key, count(m.*)::int as media from plugin p join plugin_media m on m.plugin_id = p.id
      where p.is_visible group by p.plugin_key`);
  t.ok(rows.length >= 30, `${rows.length} with pictures`);
  t.strictSame(
    rows.filter(({ media }) => media !== 3),
    [],
  );
  const slots = await pool.query(`
    select p.plugin_key, now() between s.start_at and s.end_at as is_live
      from resource_slot s join plugin p on p.id = s.plugin_id order by s.id`);
  t.strictSame(
    slots.rows.filter(({ is_live }) => is_live).map(({ plugin_key }) => plugin_key),
    ['square-component-press', 'square-mesh-bloom', 'square-device-stage'],
  );
});

t.test('the editors have collections, with all their plugins in order', async (t) => {
  const { rows } = await pool.query(`
    select e.slug, c.access, c.size, e.title->>'ru-RU' as title, array_agg(p.plugin_key order by m.position) as plugins
      from editors_collection e join collection c on c.id = e.id join collection_plugin m on m.collection_id = c.id
      join plugin p on p.id = m.plugin_id and p.is_visible
      group by e.slug, c.access, c.size, e.title, e.position order by e.position`);
  t.strictSame(
    rows.map(({ slug, access, size, title }) => [slug, access, size, title]),
    [
      ['real-content', 'public', 7, 'Дизайн на реальных данных'],
      ['design-for-everyone', 'public', 6, 'Дизайн для каждого'],
      ['from-design-to-code', 'public', 6, 'От макета к коду'],
    ],
  );
  t.strictSame(rows[2]?.plugins, [
    'square-component-press',
    'square-redline',
    'square-token-courier',
    'square-batch-export',
    'square-svg-diet',
    'square-string-room',
  ]);
});

t.test('charts have the last ninety days', async (t) => {
  await aggregateChanges(db);
  const { rows } = await pool.query(`
    select figure, count(*)::int as days, min(total) > 0 as is_some from day_figure
      where plugin_id = 0 and day < (now() at time zone 'UTC')::date and day >= (now() at time zone 'UTC')::date - 90
        and figure in ('installs', 'uninstalls', 'views', 'likes')
      group by figure order by figure`);
  t.strictSame(rows, [
    { figure: 'installs', days: 90, is_some: true },
    { figure: 'likes', days: 90, is_some: true },
    { figure: 'uninstalls', days: 90, is_some: true },
    { figure: 'views', days: 90, is_some: true },
  ]);
  const fewer = await pool.query(`
    select from day_figure installed join day_figure gone using (plugin_id, day)
      where installed.figure = 'installs' and gone.figure = 'uninstalls' and gone.total > installed.total`);
  t.equal(fewer.rowCount, 0, 'nothing is uninstalled more often than installed');
});

t.test('the queue of each day is what waited then', async (t) => {
  const { rows } = await pool.query(
    `with others as (select id from plugin),
        days as (select day_of(now()) - ago as day from generate_series(0, 90) ago)
      select day, (select sum(total) from day_figure f join others on others.id = f.plugin_id
            where figure = 'waiting' and f.day <= d.day)::int as counted,
          (select count(*) from submission s join others on others.id = s.plugin_id
            where day_of(s.created_at) <= d.day and (audit_status = 1 or day_of(decided_at) > d.day))::int as waited
        from days d`,
  );
  t.equal(rows.length, 91);
  t.strictSame(
    rows.filter(({ counted, waited }) => counted !== waited),
    [],
  );
});

t.test('some submissions wait, and two were rejected', async (t) => {
  t.hasStrict(
    await one(`
      select count(*) filter (where audit_status = 1 and not is_superseded) as waiting,
          count(*) filter (where audit_status = 3) as refused,
          count(*) filter (where is_first and audit_status <> 2) as new_ones,
          count(*) filter (where not brings_version) as listings
        from submission`),
    { waiting: 6, refused: 2, new_ones: 4, listings: 1 },
  );
  t.hasStrict(await one('select count(*) from review where audit_status = 3'), { count: 2 });
  t.hasStrict(await one("select audit_status from plugin where plugin_key = 'square-live-numbers'"), {
    audit_status: 2,
  });
  const { rows } = await pool.query(
    'select distinct f.code from submission, jsonb_to_recordset(findings) as f (code text)',
  );
  const found = rows.map(({ code }) => code);
  for (const code of ['HOST_UNDECLARED', 'EVAL_USED']) t.ok(found.includes(code), code);
});

t.test('the demo is imported once', async (t) => {
  const before = await counted();
  t.equal(await start(), false);
  t.strictSame(await counted(), before);
  await pool.query("update plugin set deleted_at = now() where plugin_key = 'square-live-numbers'");
  t.equal(await start(), false);
  t.match(await one('select count(*) from plugin where is_visible'), { count: plugins.length - 1 });
});

t.test(
  'a demo that an earlier release has half published is completed, and what people did stays',
  async (t) => {
    const kept = plugins.slice(0, 5).map(({ slug }) => `square-${slug}`);
    const [changed, deleted] = kept;
    await pool.query('delete from plugin where plugin_key <> all ($1)', [kept]);
    await pool.query("update plugin set contact = 'ada@example.org' where plugin_key = $1", [changed]);
    await pool.query('update plugin set deleted_at = now() where plugin_key = $1', [deleted]);
    await pool.query('delete from banner where id = (select min(id) from banner)');
    await pool.query("update setting set value = '\"begun\"' where name = 'demo_catalogue'");
    t.equal(await start(), true);
    t.hasStrict(await one(state), { value: 'complete' });
    t.match(await one('select count(*) from plugin where is_visible'), { count: plugins.length - 1 });
    t.hasStrict(await one(`select contact from plugin where plugin_key = '${changed}'`), {
      contact: 'ada@example.org',
    });
    t.match(await one('select count(*) from banner'), { count: 3 });
    t.match(await one('select count(*) from resource_slot'), { count: 3 });
    t.equal(await missing(), 0);
  },
);
