import t from 'tap';
import { fillDatabase } from '../../../../bench/data/fill.ts';
import { rareWord } from '../../../../bench/data/texts.ts';
import { readDailyStatistics } from '../../../../server/community/catalogue/counters/statistics-store.ts';
import { readFound, readPage } from '../../../../server/community/catalogue/ordered-list/store.ts';
import { queueOrder, readSubmissionRows } from '../../../../server/community/catalogue/submissions/store.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../../server/community/migrations.ts';
import { readAuditLogRows, readAuditLogSpan } from '../../../../server/community/people/audit-log/store.ts';
import {
  type ManagedSort,
  managedOrder,
  readManagedRows,
} from '../../../../server/community/review/manage/store.ts';
import type { CommunityTables } from '../../../../server/community/schema.ts';
import {
  installMissing,
  isDefaultMissing,
} from '../../../../server/community/use/installed/default-store.ts';
import { openKysely, openPool } from '../../../../server/database/pool.ts';
import { contract } from '../../../../shared/contract.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { testDatabase } from '../../../support/database.ts';
import { silentLog } from '../../../support/log.ts';
import { flawsOf, watchPlans } from '../../../support/plans.ts';
import { addPlugin, addTag, PUBLISHER_ID } from '../../add-plugin.ts';
import { ask, dataOf, keysOf } from '../../ask.ts';

t.test('managed plugins', async (t) => {
  const community = await testCommunity(t);
  const { db, pool, url } = community;
  const admin = await community.bearer(1, 2);
  const tag = await addTag(db, 'colour');
  const settled = () => flushAll(db);

  const answer = (query: string) => ask(url, `manager/plugin/list?${query}`, { headers: admin });
  const list = async (query = '') => dataOf(await answer(query), contract.listManagedPlugins.data);
  const row = async (key: string) =>
    (await list('limit=100')).plugin_list.find((one) => one.plugin.plugin_key === key);
  const put = (path: string, body: unknown) => ask(url, path, { method: 'PUT', headers: admin, body });
  const hide = (plugin_key: string, is_hidden: boolean) =>
    put('manager/plugin/hidden', { plugin_key, is_hidden });
  const recommend = (plugin_key: string, is_recommended = true) =>
    ask(url, 'plugin/recommendation/publish', { headers: admin, body: { plugin_key, is_recommended } });
  const order = (plugin_keys: string[]) => put('manager/plugin/recommendation/order', { plugin_keys });
  const managed = contract.hidePlugin.data;
  const actions = async () =>
    (await pool.query('select action from audit_trail order by id')).rows.map((entry) => entry.action);

  const day = (n: number) => new Date(Date.UTC(2025, 0, n));
  await addPlugin(db, { key: 'first-one', updatedAt: day(1), tags: [tag], likes: 5 });
  await addPlugin(db, { key: 'second-one', updatedAt: day(2), publisherId: 201, likes: 9 });
  await addPlugin(db, { key: 'third-one', updatedAt: day(3), name: { 'en-US': 'Brush' } });
  const waiting = await addPlugin(db, { key: 'waiting-one', updatedAt: day(4), auditStatus: 1 });
  await db.updateTable('plugin').set({ current_version_id: null }).where('id', '=', waiting).execute();
  await addPlugin(db, { key: 'refused-one', updatedAt: day(5), auditStatus: 3 });
  await addPlugin(db, { key: 'hidden-one', updatedAt: day(6), isHidden: true });
  await addPlugin(db, { key: 'deleted-one', updatedAt: day(7), deletedAt: day(8) });
  await pool.query(
    `update plugin_counter c set install_count = 10 - id, view_count = id * 3 from plugin p where p.id = c.plugin_id`,
  );
  await settled();

  const LATEST = ['hidden-one', 'refused-one', 'waiting-one', 'third-one', 'second-one', 'first-one'];
  const filtered: [query: string, expected: string[]][] = [
    ['', LATEST],
    ['sort=latest&audit_status=0', LATEST],
    ['sort=installs', LATEST.toReversed()],
    ['sort=views', LATEST],
    ['sort=likes', ['second-one', 'first-one', 'hidden-one', 'refused-one', 'waiting-one', 'third-one']],
    ['audit_status=1', ['waiting-one']],
    ['audit_status=3', ['refused-one']],
    ['audit_status=2&sort=installs', ['first-one', 'second-one', 'third-one', 'hidden-one']],
    ['keyword=brush', ['third-one']],
    [`tag_id=${tag}`, ['first-one']],
    ['publisher=201', ['second-one']],
    ['publisher=maker&audit_status=2&sort=views', ['hidden-one', 'third-one', 'second-one', 'first-one']],
    ['keyword=plugin&sort=likes', ['second-one', 'first-one', 'hidden-one', 'refused-one', 'waiting-one']],
    ['keyword=plugin&audit_status=3', ['refused-one']],
    ['keyword=plugin&audit_status=2', ['hidden-one', 'second-one', 'first-one']],
    ['keyword=%3F', []],
  ];
  for (const [query, expected] of filtered) {
    t.test(`management with "${query}"`, async (t) => {
      const page = await list(query);
      t.strictSame(
        page.plugin_list.map((one) => one.plugin.plugin_key),
        expected,
      );
      t.equal(page.total, expected.length);
    });
  }

  for (const sort of ['latest', 'installs', 'likes', 'views', 'recommended']) {
    for (const filter of ['', '&keyword=plugin']) {
      t.test(`pages by ${sort}${filter} contain every plugin once`, async (t) => {
        const whole = (await list(`sort=${sort}${filter}`)).plugin_list.map((one) => one.plugin.plugin_key);
        const met: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const page = await list(`sort=${sort}${filter}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
          met.push(...page.plugin_list.map((one) => one.plugin.plugin_key));
          t.equal(page.total, whole.length);
          cursor = page.next_cursor;
        }
        t.strictSame(met, whole);
      });
    }
  }

  t.test('a row has counts and settings', async (t) => {
    await pool.query(
      `insert into report (plugin_id, user_id, reason, kind) select id, 7, 'Bad', 'other' from plugin where plugin_key = 'first-one'`,
    );
    t.hasStrict(await row('first-one'), {
      plugin: { name: 'Plugin first-one', praise_count: 5, version: '1.0.0' },
      audit_status: 2,
      is_live: true,
      is_hidden: false,
      is_recommended: false,
      recommended_position: null,
      is_silent: false,
      open_report_count: 1,
    });
    t.hasStrict(await row('waiting-one'), { plugin: { version: '1.0.0' }, audit_status: 1, is_live: false });
  });

  t.test('a hidden plugin leaves the marketplace until it is shown again', async (t) => {
    const isListed = async () =>
      keysOf(dataOf(await ask(url, 'plugin/list'), contract.listPlugins.data)).includes('first-one');
    t.hasStrict(dataOf(await hide('first-one', true), managed), { is_hidden: true, is_live: false });
    t.equal(await isListed(), false);
    t.equal((await ask(url, 'plugin?plugin_key=first-one')).status, 404);
    t.hasStrict(dataOf(await hide('first-one', true), managed), { is_hidden: true }, 'once more is harmless');
    t.hasStrict(dataOf(await hide('first-one', false), managed), { is_hidden: false, is_live: true });
    t.equal(await isListed(), true);
    t.strictSame(await actions(), ['plugin.hide', 'plugin.show'], 'each change leaves one entry');
  });

  t.test('the publisher is notified once when their plugin is hidden', async (t) => {
    const readNotices = async () =>
      (await pool.query('select user_id, kind, data from notice order by id')).rows;
    await pool.query('delete from notice');
    for (const isHidden of [true, true, false]) await hide('first-one', isHidden);
    const name = (await row('first-one'))?.plugin.name;
    const notice = {
      user_id: PUBLISHER_ID,
      kind: 'plugin_hidden',
      data: { plugin_key: 'first-one', plugin_name: name, plugin_names: { 'en-US': name } },
    };
    t.strictSame(await readNotices(), [notice], 'hiding again, or showing, sends no notice');
    const own = await community.bearer(PUBLISHER_ID, 2);
    const body = { plugin_key: 'first-one', is_hidden: true };
    t.equal((await ask(url, 'manager/plugin/hidden', { method: 'PUT', headers: own, body })).status, 200);
    t.strictSame(await readNotices(), [notice], 'publishers get no notice of their own hiding');
    await hide('first-one', false);
  });

  t.test('recommended plugins, and their order', async (t) => {
    const shown = async () =>
      keysOf(dataOf(await ask(url, 'plugin/recommendation/list'), contract.listRecommended.data));
    t.hasStrict(dataOf(await recommend('first-one'), managed), {
      is_recommended: true,
      recommended_position: 0,
    });
    t.hasStrict(dataOf(await recommend('third-one'), managed), { recommended_position: 1 });
    t.hasStrict(dataOf(await recommend('hidden-one'), managed), { recommended_position: 2, is_live: false });
    t.hasStrict(dataOf(await recommend('second-one'), managed), { recommended_position: 3 });
    t.strictSame(await shown(), ['first-one', 'third-one', 'second-one']);
    const wanted = ['second-one', 'hidden-one', 'first-one', 'third-one'];
    t.equal((await order(wanted)).status, 200);
    t.strictSame(await shown(), ['second-one', 'first-one', 'third-one']);
    const sorted = (await list('sort=recommended')).plugin_list;
    t.strictSame(
      sorted.map((one) => one.recommended_position),
      [0, 1, 2, 3, null, null],
    );
    t.strictSame(
      sorted.slice(0, 4).map((one) => one.plugin.plugin_key),
      wanted,
    );
    t.hasStrict(dataOf(await recommend('hidden-one', false), managed), { is_recommended: false });
    t.hasStrict(await row('first-one'), { recommended_position: 1 }, 'places close up');
    t.strictSame((await actions()).slice(-3), [
      'plugin.recommend',
      'recommendation.order',
      'plugin.unrecommend',
    ]);
  });

  t.test('ordering plugins that are not the recommended ones is a conflict', async (t) => {
    for (const keys of [
      [],
      ['second-one', 'first-one'],
      ['second-one', 'first-one', 'third-one', 'hidden-one'],
    ]) {
      const refused = await order(keys);
      t.equal(refused.status, 409);
      t.hasStrict(refused.json, { code: 'CONFLICT' });
    }
    const twice = await order(['second-one', 'first-one', 'first-one']);
    t.equal(twice.status, 400);
    t.hasStrict(twice.json, { code: 'VALIDATION_FAILED', errors: [{ pointer: '/plugin_keys' }] });
  });

  t.test('simultaneous recommending and ordering leaves no gap or duplicate place', async (t) => {
    const keys = ['second-one', 'first-one', 'third-one'];
    await Promise.all([
      ...['hidden-one', 'waiting-one', 'refused-one'].map((key) => recommend(key)),
      order(keys.toReversed()),
      order(keys),
    ]);
    const places = (await list('sort=recommended&limit=6')).plugin_list.map(
      (one) => one.recommended_position,
    );
    t.strictSame(places, [0, 1, 2, 3, 4, 5]);
  });

  t.test('a deleted or unknown plugin is not recommended', async (t) => {
    await db
      .updateTable('plugin')
      .set({ deleted_at: new Date() })
      .where('plugin_key', '=', 'refused-one')
      .execute();
    t.equal(await row('refused-one'), undefined);
    t.equal((await list()).total, 5);
    for (const call of [hide('refused-one', true), recommend('deleted-one'), hide('no-such-plugin', true)]) {
      const refused = await call;
      t.equal(refused.status, 404);
      t.hasStrict(refused.json, { code: 'PLUGIN_NOT_FOUND' });
    }
  });

  const bad: [query: string, code: string][] = [
    ['sort=name', 'VALIDATION_FAILED'],
    ['audit_status=9', 'VALIDATION_FAILED'],
    ['limit=101', 'VALIDATION_FAILED'],
    ['tag_id=9999', 'TAG_NOT_FOUND'],
    ['cursor=abc', 'BAD_CURSOR'],
  ];
  for (const [query, code] of bad) {
    t.test(`refused: ${query}`, async (t) => {
      t.hasStrict((await answer(query)).json, { code });
    });
  }

  t.test('likes and installs change the order of the list', async (t) => {
    for (let user = 1; user <= 12; user += 1) {
      const headers = await community.bearer(user);
      await ask(url, 'plugin/user/praise', { headers, body: { plugin_key: 'third-one', praise: 1 } });
    }
    await settled();
    t.equal((await list('sort=likes&limit=1')).plugin_list[0]?.plugin.plugin_key, 'third-one');
  });
});

t.test('query plans', async (t) => {
  const SIZE = { count: 8000, waiting: 4000 };
  const { url } = await testDatabase<CommunityTables>(t, {
    schema: COMMUNITY_SCHEMA,
    migrations: communityMigrations,
    name: 'backstage_plans',
  });
  await fillDatabase(url, SIZE);
  const pool = openPool(url, { applicationName: 'test', schema: COMMUNITY_SCHEMA, log: silentLog });
  t.teardown(() => pool.end());
  const plansOf = watchPlans(pool);
  const db = openKysely<CommunityTables>(pool);

  const SORTS: [sort: ManagedSort, index: string][] = [
    ['latest', 'managed_plugin_latest'],
    ['installs', 'managed_plugin_installs'],
    ['likes', 'managed_plugin_likes'],
    ['views', 'managed_plugin_views'],
    ['recommended', 'managed_plugin_recommended'],
  ];
  const ORDERS: [title: string, order: ReturnType<typeof queueOrder>, index: string, ranges: number][] = [
    ['waiting', queueOrder(1), 'submission_queue', 1],
    ['passed', queueOrder(2), 'submission_decided', 1],
    ['refused', queueOrder(3), 'submission_decided', 1],
    ['all submissions', queueOrder(0), 'submission_newest', 1],
    ...SORTS.flatMap(([sort, index]): typeof ORDERS => [
      [`all plugins by ${sort}`, managedOrder(0, sort), index, 3],
      [`passed plugins by ${sort}`, managedOrder(2, sort), index, 1],
    ]),
  ];
  const LIMIT = 21;
  /** Words with up to this many matches are rare here. */
  const FEW = 1000;
  const RARE = `'${rareWord(SIZE.count, 'ru-RU').toLowerCase()}':*`;

  for (const [title, order, index, ranges] of ORDERS) {
    t.test(`a page of ${title} reads short ranges of one index`, async (t) => {
      const first = await readPage(db, order, { after: undefined, limit: LIMIT });
      const last = first.at(-1);
      const places = [undefined, ...(last ? [[last.sort_key, last.id] as const] : [])];
      for (const after of places) {
        for (const plan of await plansOf(() => readPage(db, order, { after, limit: LIMIT }))) {
          t.ok(plan.indexes.includes(index), plan.text);
          t.strictSame(flawsOf(plan, ranges * LIMIT), [], plan.text);
        }
      }
    });
  }

  for (const [title, order] of ORDERS) {
    t.test(`a rare word among ${title} is read by the words' index`, async (t) => {
      const page = { after: undefined, limit: LIMIT, total: undefined, length: async () => SIZE.count };
      const plans = await plansOf(() => readFound(db, order, RARE, page));
      t.equal(plans.length, 1);
      for (const plan of plans) {
        t.match(
          plan.indexes.join(),
          /submission_search_words|waiting_search_words|plugin_search_full/,
          plan.text,
        );
        t.strictSame(flawsOf(plan, LIMIT), [], plan.text);
      }
    });
  }

  for (const [title, order, index] of ORDERS.filter(([name]) => !name.startsWith('refused'))) {
    t.test(`a frequent word among ${title} is read in their order`, async (t) => {
      const page = { after: undefined, limit: LIMIT, total: 9, length: async () => SIZE.count };
      const plans = await plansOf(() => readFound(db, order, "'a':*", page, FEW));
      for (const walk of plans.splice(-1)) {
        t.match(walk.indexes.join(), new RegExp(index));
        t.match(walk.indexes.join(), /(submission|waiting|plugin)_search_pkey/);
        t.strictSame(flawsOf(walk, 3 * LIMIT), [], walk.text);
      }
      for (const plan of plans) t.strictSame(flawsOf(plan, 2 * FEW), [], `whether it is rare: ${plan.text}`);
    });
  }

  const ids = Array.from({ length: 20 }, (_, n) => n * 100 + 1);
  const day = { from: new Date('2023-01-05'), until: new Date('2023-01-06'), after: undefined };
  const works: [title: string, work: () => Promise<unknown>][] = [
    ['rows of the review list', () => readSubmissionRows(db, ids, 7)],
    ['rows of management', () => readManagedRows(db, ids)],
    [
      'the missing defaults of a user',
      () => isDefaultMissing(db, { user_id: 7, group: { e_id: 3, department: 'Design' } }),
    ],
    [
      'installing defaults',
      () => installMissing(db, { user_id: 8, group: { e_id: 3, department: 'Design' } }),
    ],
    ['daily statistics', () => readDailyStatistics(db, 7, { lastDay: '2025-01-31', days: 7 })],
    ['a span of the audit log', () => readAuditLogSpan(db, day, 100)],
  ];
  for (const [title, work] of works) {
    t.test(`${title}: read by key`, async (t) => {
      for (const plan of await plansOf(work)) t.strictSame(flawsOf(plan, 100), [], plan.text);
    });
  }

  const trails: [filter: Parameters<typeof readAuditLogRows>[1], index: string][] = [
    [{}, 'audit_trail_newest'],
    [{ action: 'slot.add' }, 'audit_trail_by_action'],
    [{ target_kind: 'slot' }, 'audit_trail_by_kind'],
    [{ actor_id: 3 }, 'audit_trail_by_actor'],
    [{ target_id: 'target-33' }, 'audit_trail_by_target'],
  ];
  for (const [filter, index] of trails) {
    t.test(`the audit log with ${JSON.stringify(filter)} reads one index range`, async (t) => {
      const page = { after: [Date.parse('2023-01-10'), 1] as const, limit: LIMIT };
      for (const plan of await plansOf(() => readAuditLogRows(db, filter, page))) {
        t.ok(plan.indexes.includes(index), plan.text);
        t.strictSame(flawsOf(plan, 0), [], plan.text);
      }
    });
  }
});
