import t from 'tap';
import { flush } from '../../../server/community/background.ts';
import { countVisible, readDayFigures } from '../../../server/community/counters/statistics-store.ts';
import {
  addViews,
  aggregateChanges,
  readTotals,
  reorderByPopularity,
} from '../../../server/community/counters/store.ts';
import { countViews, SAME_VIEW } from '../../../server/community/counters/views.ts';
import { communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { indexPending } from '../../../server/community/search/index-store.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { flushAll, testCommunity } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { silentLog } from '../../support/log.ts';
import { addPlugin } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';
import { ask } from '../ask.ts';

t.test('counting', async (t) => {
  const community = await testCommunity(t);
  const { db, pool, url } = community;
  const settled = () => flush(db, countViews(), Date.now);
  const ids: number[] = [];
  for (let n = 0; n < 5; n += 1) ids.push(await addPlugin(db, { key: `counted-${n}` }));

  async function differences(): Promise<number> {
    const { rows } =
      await pool.query(`select count(*) from managed_plugin m join plugin_counter c using (plugin_id)
    where (m.install_count, m.praise_count, m.view_count) <> (c.install_count, c.praise_count, c.view_count)`);
    return rows[0].count;
  }

  t.test(
    'plugin management counters match after concurrent likes, installs, views and decisions',
    async (t) => {
      const use = async (path: string, user: number, body: Record<string, unknown>) =>
        ask(url, `plugin/user${path}`, { headers: await community.bearer(user), body });
      const admin = await community.bearer(1, 2);
      const work = Array.from({ length: 40 }, (_, n) => {
        const plugin_key = `counted-${n % 5}`;
        return [
          use('', n + 1, { plugin_key }),
          use('/praise', n + 1, { plugin_key, praise: 1 }),
          ask(url, 'manager/plugin/hidden', {
            method: 'PUT',
            headers: admin,
            body: { plugin_key: `counted-${n % 2}`, is_hidden: n % 4 === 0 },
          }),
          ...(n % 5 === 0 ? [settled(), addViews(db, new Map(ids.map((id) => [id, 1])), new Date())] : []),
        ];
      });
      await Promise.all(work.flat());
      await flushAll(db);
      t.equal(await differences(), 0);
    },
  );

  t.test('a locked row is updated by the next call', async (t) => {
    const [id = 0] = ids;
    const other = await pool.connect();
    try {
      await other.query('begin');
      await other.query('select from managed_plugin where plugin_id = $1 for update', [id]);
      await addViews(db, new Map([[id, 100]]), new Date());
      t.ok((await reorderByPopularity(db)) > 0, 'nobody waits');
      t.equal(await differences(), 1);
      await other.query('rollback');
    } finally {
      other.release();
    }
    await reorderByPopularity(db);
    t.equal(await differences(), 0);
  });
});

t.test('views', async (t) => {
  t.test('repeated views by a user count again after half an hour', async (t) => {
    let at = 1;
    const views = countViews({ perf: { now: () => at } });
    t.equal(views.isNew('a', 'plugin-1'), true);
    t.equal(views.isNew('a', 'plugin-1'), false);
    t.equal(views.isNew('b', 'plugin-1'), true);
    t.equal(views.isNew('a', 'plugin-2'), true);
    at = SAME_VIEW;
    t.equal(views.isNew('a', 'plugin-1'), false);
    at = SAME_VIEW + 2;
    t.equal(views.isNew('a', 'plugin-1'), true);
  });

  t.test('keeps only the allowed number of recent views', async (t) => {
    const views = countViews({ max: 3 });
    for (const viewer of ['a', 'b', 'c', 'd']) views.isNew(viewer, 'plugin-1');
    t.equal(views.isNew('d', 'plugin-1'), false);
    t.equal(views.isNew('b', 'plugin-1'), false);
    t.equal(views.isNew('a', 'plugin-1'), true);
  });

  t.test('views are written on close', async (t) => {
    const community = await testCommunity(t);
    const { db, url, pool } = community;
    await addPlugin(db, { key: 'looked-at' });
    const view = (headers: Record<string, string>) =>
      ask(url, 'plugin/view', { headers, body: { plugin_key: 'looked-at' } });
    for (const viewer of ['203.0.113.1', '203.0.113.2', '203.0.113.2', '203.0.113.3']) {
      t.strictSame((await view({ 'x-forwarded-for': viewer })).json, { code: 0, message: 'ok', data: {} });
    }
    const reader = await community.bearer(7);
    await view(reader);
    await view({ ...reader, 'x-forwarded-for': '203.0.113.9' });
    await community.app.close();
    const { rows } = await pool.query(
      `select c.view_count, c.popularity, v.view_count as of_day, l.popularity as listed
      from plugin_counter c join plugin_view v using (plugin_id) join plugin_listing l using (plugin_id)`,
    );
    t.strictSame(rows, [{ view_count: 4, popularity: 16, of_day: 4, listed: 16 }]);
  });

  t.test('views are kept after a failed write', async (t) => {
    const { db, pool } = await testCommunity(t);
    const id = await addPlugin(db, { key: 'kept-views' });
    const views = countViews();
    views.add(id, 3);
    await pool.query('alter table plugin_view rename to away');
    await t.rejects(
      flush(db, views, () => 0),
      { message: /plugin_view/ },
    );
    await pool.query('alter table away rename to plugin_view');
    views.add(id);
    await flush(db, views, () => 0);
    const { rows } = await pool.query('select day, view_count from plugin_view');
    t.strictSame(rows, [{ day: '1970-01-01', view_count: 4 }]);
  });

  t.test('a view of a deleted plugin is not an error', async (t) => {
    const { db } = await testCommunity(t);
    const views = countViews();
    views.add(4711);
    await t.resolves(flush(db, views, () => 0));
  });
});

t.test('upgrade of an earlier release', async (t) => {
  const STEPS = Object.entries(communityMigrations);
  const before = Object.fromEntries(STEPS.filter(([name]) => name < '0009'));
  const { db, pool } = await testDatabase<CommunityTables>(t, {
    schema: 'community',
    migrations: before,
    name: 'upgrade',
  });

  t.test('existing plugins are counted, listed and searchable', async (t) => {
    const first = await addPlugin(db, { key: 'first-one', isIndexed: false, likes: 2 });
    await addPlugin(db, { key: 'waiting-one', isIndexed: false, auditStatus: 1 });
    await addPlugin(db, { key: 'deleted-one', isIndexed: false, deletedAt: new Date() });
    await addSubmission(db, { pluginId: first, version: '1.1.0', createdAt: new Date('2026-01-02') });
    await pool.query(`
    insert into plugin_like (user_id, plugin_id, created_at) values (1, ${first}, '2026-01-02'), (2, ${first}, '2026-01-03');
    insert into plugin_install (user_id, plugin_id, installed_at, uninstalled_at) values
      (1, ${first}, '2026-01-02', null), (2, ${first}, '2026-01-02', '2026-01-02'), (3, ${first}, '2026-01-02', '2026-01-09');
    insert into plugin_view (plugin_id, day, view_count) values (${first}, '2026-01-03', 7);
    update plugin_counter set install_count = 1, view_count = 7 where plugin_id = ${first};
    insert into recommendation (plugin_id, position) values (${first}, 3);
    insert into report (plugin_id, user_id, reason) values (${first}, 1, 'Bad');
    insert into audit_trail (actor_id, action, target_kind, target_id) values (1, 'a.b', 'a', '1');
  `);
    const ran = await migrate({ db, schema: 'community', migrations: communityMigrations, log: silentLog });
    t.strictSame(
      ran,
      Object.keys(communityMigrations).filter((name) => name >= '0009'),
    );
    await aggregateChanges(db);
    await indexPending(db);
    t.strictSame(
      await readTotals(db, [
        'submission 1',
        'plugin 1',
        'plugin 2',
        'installs',
        'likes',
        'views',
        'report open',
        'trail',
      ]),
      {
        'submission 1': 1,
        'plugin 1': 1,
        'plugin 2': 1,
        installs: 1,
        likes: 2,
        views: 7,
        'report open': 1,
        trail: 1,
      },
    );
    t.equal(await countVisible(db), 1);
    t.strictSame(await readDayFigures(db, 0, { lastDay: '2026-01-03', days: 2 }), [
      { day: '2026-01-02', installs: 2, uninstalls: 0, views: 0, likes: 1, publications: 0, waiting: 1 },
      { day: '2026-01-03', installs: 0, uninstalls: 0, views: 7, likes: 1, publications: 0, waiting: 1 },
    ]);
    const [later] = await readDayFigures(db, first, { lastDay: '2026-01-09', days: 1 });
    t.hasStrict(
      later,
      { installs: 0, uninstalls: 1 },
      'what was uninstalled on a later day was installed before',
    );
    const { rows } = await pool.query(
      `select recommended_rank from managed_plugin m join plugin p on p.id = m.plugin_id where plugin_key = 'first-one'`,
    );
    t.strictSame(rows, [{ recommended_rank: -3 }]);
    const found = await pool.query(
      `select from submission_search where words @@ '''handed'' & ''@maker'''::tsquery`,
    );
    t.equal(found.rowCount, 1);
    const plugins = await pool.query(`select from plugin_search where "full" @@ '''@maker'''::tsquery`);
    t.equal(plugins.rowCount, 3, 'also words that earlier releases did not write');
  });
});
