import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import t from 'tap';
import { aggregateChanges } from '../../../server/community/catalogue/counters/store.ts';
import { loadCatalogue } from '../../../server/community/demo/catalogue.ts';
import { loadDemo } from '../../../server/community/demo/load.ts';
import { publishDemo } from '../../../server/community/demo/publish-demo.ts';
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
const never = new AbortController().signal;
const one = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>> =>
  (await pool.query(text, values)).rows[0];
const missing = async () => (await sweep({ ...parts, dryRun: true }))?.missing;
const [latest] = plugins.toSorted((a, b) => a.updated_days_ago - b.updated_days_ago);
const killed = `square-${latest?.slug}`;
const state = "select value from setting where name = 'demo_catalogue'";

t.test('publishes the first plugins completely', async (t) => {
  await loadDemo(db, parts);
  await publishDemo(parts, { signal: never, first: 8 });
  const { rows } = await pool.query(`
    select plugin_key from plugin where is_visible and icon_key is not null and cover_key is not null`);
  const newest = plugins.toSorted((a, b) => a.updated_days_ago - b.updated_days_ago).slice(0, 8);
  t.strictSame(
    rows.map(({ plugin_key }) => plugin_key).toSorted(),
    newest.map(({ slug }) => `square-${slug}`).toSorted(),
  );
  t.hasStrict(await one(state), { value: 'begun' });
  t.strictSame(told, ['Demo: 0 of 65 plugins']);
});

t.test('administrators learn where it stopped', async (t) => {
  const put = async () => {
    throw new Error('no space');
  };
  await t.rejects(publishDemo({ ...parts, files: { ...files, put } }, { signal: never }), /no space/);
  t.match(told.at(-1), /^Demo: 8 of 65 plugins(, \d failed)?, stopped$/);
  t.hasStrict(await one(filling), { value: { done: 8, total: 65, is_stopped: true } });
});

t.test('continues after interruptions, and deleted plugins stay deleted', async (t) => {
  const stop = new AbortController();
  const counted = {
    ...files,
    put: async (name: string, content: Uint8Array | AsyncIterable<Uint8Array>) => {
      if ((await Array.fromAsync(files.list())).length > 400) stop.abort();
      await files.put(name, content);
    },
  };
  await publishDemo({ ...parts, files: counted }, { signal: stop.signal });
  const half = Number((await one('select count(*) from plugin')).count);
  t.ok(half > 8 && half < plugins.length, `${half} when it was stopped`);
  t.hasStrict(await one(state), { value: 'begun' });
  t.equal(await missing(), 0);
  // As if it had been killed after a submission, before the plugin got its key and its approval.
  await pool.query(
    `with broken as (
        update plugin set plugin_key = 'drawn-at-random', current_version_id = null, audit_status = 1
          where plugin_key = $1 returning id
      ), submissions as (
        update submission s set audit_status = 1, decided_at = null from broken
          where s.id = (select max(id) from submission where plugin_id = broken.id) returning s.id
      ), unnoted as (
        delete from audit_trail t using submissions s where t.target_id = s.id::text
      ), uncounted as (
        update plugin_counter c set view_count = 0 from broken where c.plugin_id = broken.id
      )
      update plugin_version v set audit_status = 1 from broken
        where v.id = (select max(id) from plugin_version where plugin_id = broken.id)`,
    [killed],
  );
  const expectedLater = [
    ...plugins.filter(({ recommended }) => recommended).map(({ slug }) => slug),
    ...catalogue.submissions.map(({ plugin }) => plugin.slug),
    ...catalogue.slots,
  ];
  const { plugin_key: deleted } = await one(
    `select plugin_key from plugin p where is_visible and plugin_key <> '${killed}'
        and exists (select from plugin_media where plugin_id = p.id) and plugin_key <> all ($1)
        and exists (select from plugin_counter where plugin_id = p.id and view_count > 0)
        order by p.id limit 1`,
    [expectedLater.map((slug) => `square-${slug}`)],
  );
  await pool.query('update plugin set deleted_at = now() where plugin_key = $1', [deleted]);
  told.length = 0;
  await publishDemo(parts, { signal: never });
  t.hasStrict(await one(state), { value: 'complete' });
  t.match(told[0], /^Demo: \d+ of 65 plugins$/);
  t.equal(told.at(-1), 'Demo: 65 of 65 plugins, complete');
  t.equal(await one(filling), undefined);
  t.match(await one('select count(*) from plugin where is_visible'), { count: plugins.length - 1 });
  t.hasStrict(await one(`select is_visible from plugin where plugin_key = '${killed}'`), {
    is_visible: true,
  });
  t.equal(await missing(), 0);
  await pool.query('update plugin set deleted_at = null where plugin_key = $1', [deleted]);
  t.strictSame(lines, [], 'nothing was skipped');
});

t.test('every version was submitted with its package and approved', async (t) => {
  const { rows } = await pool.query(`
    select p.plugin_key, v.version, v.package_key, v.package_manifest, s.decided_by, s.created_by, s.listing,
        s.decided_at = (select created_at from audit_trail
          where target_kind = 'submission' and target_id = s.id::text and action = 'submission.approve') as is_noted
      from plugin p join plugin_version v on v.plugin_id = p.id join submission s on s.plugin_version_id = v.id
      where s.audit_status = 2 and s.brings_version`);
  t.equal(rows.length, plugins.flatMap(({ versions }) => versions).length);
  for (const { plugin_key, version, package_key, package_manifest, ...row } of rows) {
    const plugin = plugins.find(({ slug }) => plugin_key === `square-${slug}`);
    const listing = { name: plugin?.name, tags: plugin?.tags, plugin_mark: plugin?.plugin_mark ?? '' };
    t.hasStrict(row, { decided_by: 9_000_000_009_013, is_noted: true, listing }, `${plugin_key} ${version}`);
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
  // The approval that was undone above was counted all the same.
  const { rows } = await pool.query(
    `with others as (select id from plugin where plugin_key <> $1),
        days as (select day_of(now()) - ago as day from generate_series(0, 90) ago)
      select day, (select sum(total) from day_figure f join others on others.id = f.plugin_id
            where figure = 'waiting' and f.day <= d.day)::int as counted,
          (select count(*) from submission s join others on others.id = s.plugin_id
            where day_of(s.created_at) <= d.day and (audit_status = 1 or day_of(decided_at) > d.day))::int as waited
        from days d`,
    [killed],
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
    { waiting: 6, refused: 2, new_ones: 4, listings: 37 },
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

t.test('the demo is published once', async (t) => {
  const all =
    'select (select count(*) from submission) as submissions, (select count(*) from plugin) as plugins';
  const before = await one(all);
  await publishDemo(parts, { signal: never });
  t.strictSame(await one(all), before);
  await pool.query("update setting set value = '\"begun\"' where name = 'demo_catalogue'");
  await publishDemo(parts, { signal: never });
  t.strictSame(await one(all), before, 'also if only the state was missing');
  t.hasStrict(await one(state), { value: 'complete' });
});
