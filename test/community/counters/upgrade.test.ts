import t from 'tap';
import { countVisible, readDayFigures } from '../../../server/community/counters/statistics-store.ts';
import { aggregateChanges, readTotals } from '../../../server/community/counters/store.ts';
import { communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { indexPending } from '../../../server/community/search/index-store.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { testDatabase } from '../../support/database.ts';
import { silentLog } from '../../support/log.ts';
import { addPlugin } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';

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
