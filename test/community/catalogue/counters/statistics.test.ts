import t from 'tap';
import { aggregateChanges } from '../../../../server/community/catalogue/counters/store.ts';
import { readTotals } from '../../../../server/community/tally.ts';
import { contract } from '../../../../shared/contract.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { addPlugin } from '../../add-plugin.ts';
import { addSubmission } from '../../add-submission.ts';
import { addNewViews } from '../../add-views.ts';
import { ask, dataOf } from '../../ask.ts';
import { decisionOn } from '../../review/decisions/decision.ts';

t.test('of the site', async (t) => {
  const community = await testCommunity(t);
  const { db, pool, url } = community;
  const admin = await community.bearer(1, 2);
  const DAY = 24 * 60 * 60 * 1000;
  const dayAgo = (days: number) => new Date(Date.now() - days * DAY);
  const nameOf = (at: Date) => at.toISOString().slice(0, 10);
  const settled = () => flushAll(db);

  const answer = (query: string) => ask(url, `manager/statistics?${query}`, { headers: admin });
  const read = async (query = '') => dataOf(await answer(query), contract.readStatistics.data);
  const today = async (query = '') => (await read(query)).days.at(-1);
  const use = async (method: string, path: string, userId: number, body: Record<string, unknown>) =>
    ask(url, `plugin/user${path}`, { method, headers: await community.bearer(userId), body });

  await addPlugin(db, { key: 'first-one' });
  const second = await addPlugin(db, { key: 'second-one' });

  t.test('has every day once, including empty days, today last', async (t) => {
    for (const [query, length] of [
      ['', 30],
      ['days=1', 1],
      ['days=366', 366],
    ] as const) {
      const { days, plugin_key } = await read(query);
      t.equal(days.length, length);
      t.equal(plugin_key, null);
      t.strictSame(
        days.map((one) => one.day),
        Array.from({ length }, (_, n) => nameOf(dayAgo(length - 1 - n))),
      );
    }
    t.hasStrict((await read()).totals, {
      installs: 0,
      views: 0,
      likes: 0,
      plugins: 2,
      waiting: 0,
      open_reports: 0,
    });
  });

  t.test('installs and likes count on their day, unless undone on the same day', async (t) => {
    const plugin_key = 'first-one';
    for (const user of [1, 2, 3]) {
      await use('POST', '', user, { plugin_key });
      await use('POST', '/praise', user, { plugin_key, praise: 1 });
    }
    await use('DELETE', '', 3, { plugin_key });
    await use('POST', '/praise', 3, { plugin_key, praise: -1 });
    for (let again = 0; again < 5; again += 1) {
      await use('DELETE', '', 2, { plugin_key });
      await use('POST', '', 2, { plugin_key });
    }
    await settled();
    for (const query of ['', `plugin_key=${plugin_key}`]) {
      t.hasStrict(await today(query), { installs: 2, likes: 2, views: 0 });
      t.hasStrict((await read(query)).totals, { installs: 2, likes: 2 });
    }
    t.hasStrict(await today('plugin_key=second-one'), { installs: 0, likes: 0 });
  });

  t.test('changes undone on a later day still count', async (t) => {
    await pool.query(`insert into plugin_install (user_id, plugin_id, installed_at) values (50, $1, $2)`, [
      second,
      dayAgo(3),
    ]);
    await pool.query(`insert into plugin_like (user_id, plugin_id, created_at) values (50, $1, $2)`, [
      second,
      dayAgo(3),
    ]);
    await pool.query('update plugin_counter set install_count = 1, praise_count = 1 where plugin_id = $1', [
      second,
    ]);
    await use('DELETE', '', 50, { plugin_key: 'second-one' });
    await use('POST', '/praise', 50, { plugin_key: 'second-one', praise: -1 });
    await settled();
    const { days, totals } = await read('plugin_key=second-one&days=4');
    t.hasStrict(days[0], { installs: 1, likes: 1 });
    t.hasStrict(days.at(-1), { installs: 0, likes: 0 });
    t.hasStrict(totals, { installs: 0, likes: 0, plugins: 1 });
  });

  t.test('views match the counters', async (t) => {
    await addNewViews(db, new Map([[second, 5]]), dayAgo(1));
    await addNewViews(db, new Map([[second, 2]]), dayAgo(1));
    await addNewViews(db, new Map([[second, 4]]), new Date());
    await settled();
    for (const query of ['', 'plugin_key=second-one']) {
      t.strictSame(
        (await read(`${query}&days=3`)).days.map((day) => day.views),
        [0, 7, 4],
      );
      t.equal((await read(query)).totals.views, 11);
    }
  });

  t.test('counts publications, and waiting submissions at the end of each day', async (t) => {
    const decide = async (plugin_key: string, body: Record<string, unknown>) =>
      ask(url, 'plugin/audit/status', {
        headers: admin,
        body: await decisionOn(db, { plugin_key, ...body }),
      });
    const first = await db
      .selectFrom('plugin')
      .select('id')
      .where('plugin_key', '=', 'first-one')
      .executeTakeFirstOrThrow();
    await addSubmission(db, { pluginId: second, version: '1.1.0', createdAt: dayAgo(4) });
    await addSubmission(db, { pluginId: first.id, version: '1.1.0', createdAt: dayAgo(2) });
    await decide('second-one', { audit_status: 2 });
    await flushAll(db);
    const { days, totals } = await read('days=6');
    t.strictSame(
      days.map((day) => day.waiting),
      [0, 1, 1, 2, 2, 1],
    );
    t.equal(days.at(-1)?.publications, 1);
    t.equal(totals.waiting, 1);
    t.strictSame(
      (await read('days=3')).days.map((day) => day.waiting),
      [2, 2, 1],
      'also where the span begins later',
    );
    t.strictSame(
      (await read('days=3&plugin_key=second-one')).days.map((day) => day.waiting),
      [1, 1, 0],
    );
    await decide('second-one', { audit_status: 3, expected_status: 2, reason: 'No.' });
    await flushAll(db);
    t.equal((await today())?.publications, 0, 'what is taken back the same day was none');
  });

  t.test('a decision counts on the day that it names', async (t) => {
    const pluginId = await addPlugin(db, { key: 'dated-one' });
    const read = async (query: string) =>
      dataOf(await answer(`plugin_key=dated-one&${query}`), contract.readStatistics.data).days;
    const decide = async (version: string, status: number, day: number) => {
      const id = await addSubmission(db, { pluginId, version, createdAt: dayAgo(day + 2) });
      await pool.query(
        'update submission set audit_status = $2, reason = $3, decided_at = $4 where id = $1',
        [id, status, status === 3 ? 'No.' : null, dayAgo(day)],
      );
      return id;
    };
    const approved = await decide('1.1.0', 2, 3);
    await decide('1.2.0', 3, 1);
    await flushAll(db);
    const days = await read('days=6');
    t.strictSame(
      days.map(({ waiting, publications }) => [waiting, publications]),
      [
        [1, 0],
        [1, 0],
        [1, 1],
        [1, 0],
        [0, 0],
        [0, 0],
      ],
    );
    await pool.query(
      `update submission set audit_status = 3, reason = 'No.', decided_at = $2 where id = $1`,
      [approved, dayAgo(3)],
    );
    await flushAll(db);
    t.strictSame(
      (await read('days=6')).map(({ publications }) => publications),
      [0, 0, 0, 0, 0, 0],
      'what is taken back on its day was none',
    );
  });

  t.test('open reports', async (t) => {
    await pool.query(
      `insert into report (plugin_id, user_id, reason, kind) values ($1, 7, 'Bad', 'other'), ($1, 8, 'Bad', 'other')`,
      [second],
    );
    t.equal((await read()).totals.open_reports, 2);
    t.equal((await read('plugin_key=second-one')).totals.open_reports, 2);
    await pool.query(`update report set state = 'dismissed', decided_at = now() where user_id = 7`);
    t.equal((await read()).totals.open_reports, 1);
  });

  t.test('concurrent aggregation does not change totals', async (t) => {
    const names = ['installs', 'likes', 'views', 'submission 1', 'plugin 2', 'trail'] as const;
    const before = await readTotals(db, names);
    await Promise.all(Array.from({ length: 8 }, () => aggregateChanges(db)));
    t.strictSame(await readTotals(db, names), before);
    const { rows } = await pool.query('select count(*) from tally_change');
    t.equal(rows[0].count, 0);
  });

  t.test('totals match the counted rows', async (t) => {
    const { rows } = await pool.query(`
    select (select sum(install_count) from plugin_counter)::bigint as installs,
      (select sum(praise_count) from plugin_counter)::bigint as likes,
      (select sum(view_count) from plugin_counter)::bigint as views,
      (select count(*) from submission where audit_status = 1 and not is_superseded) as "submission 1",
      (select count(*) from submission where audit_status = 3) as "submission 3",
      (select count(*) from plugin where audit_status = 2 and deleted_at is null) as "plugin 2",
      (select count(*) from audit_trail) as trail`);
    const totals = await readTotals(db, [
      'installs',
      'likes',
      'views',
      'submission 1',
      'submission 3',
      'plugin 2',
      'trail',
    ]);
    t.strictSame(totals, rows[0]);
  });

  const bad: [query: string, status: number, code: string][] = [
    ['days=0', 400, 'VALIDATION_FAILED'],
    ['days=367', 400, 'VALIDATION_FAILED'],
    ['days=x', 400, 'VALIDATION_FAILED'],
    ['plugin_key=x', 400, 'VALIDATION_FAILED'],
    ['plugin_key=no-such-plugin', 404, 'PLUGIN_NOT_FOUND'],
  ];
  for (const [query, status, code] of bad) {
    t.test(`rejected: ${query}`, async (t) => {
      const refused = await answer(query);
      t.equal(refused.status, status);
      t.hasStrict(refused.json, { code });
    });
  }
});

t.test('of a publisher', async (t) => {
  const OWNER = 21;
  const OTHER = 22;
  const community = await testCommunity(t);
  const { db, pool, url } = community;
  const DAY = 24 * 60 * 60 * 1000;
  const dayAgo = (days: number) => new Date(Date.now() - days * DAY);
  const nameOf = (at: Date) => at.toISOString().slice(0, 10);
  const settled = () => flushAll(db);

  const answer = async (userId: number, query: string, role: 0 | 1 | 2 = 0) =>
    ask(url, `plugin/statistics?${query}`, { headers: await community.bearer(userId, role) });
  const read = async (query = '', userId = OWNER, role: 0 | 1 | 2 = 0) =>
    dataOf(await answer(userId, query, role), contract.readOwnStatistics.data);
  const use = async (method: string, path: string, userId: number, body: Record<string, unknown>) =>
    ask(url, `plugin/user${path}`, { method, headers: await community.bearer(userId), body });

  const first = await addPlugin(db, { key: 'first-one', publisherId: OWNER });
  const second = await addPlugin(db, { key: 'second-one', publisherId: OWNER });
  const foreign = await addPlugin(db, { key: 'foreign-one', publisherId: OTHER });
  await addPlugin(db, { key: 'waiting-one', publisherId: OTHER, auditStatus: 1 });
  const NOTHING = { views: 0, installs: 0, uninstalls: 0, downloads: 0, likes: 0 };

  t.test('has every day once, including empty days, today last', async (t) => {
    for (const [query, length] of [
      ['', 30],
      ['days=1', 1],
      ['days=366', 366],
      ['days=7&plugin_key=first-one', 7],
    ] as const) {
      const { days, before } = await read(query);
      t.strictSame(
        days,
        Array.from({ length }, (_, n) => ({ day: nameOf(dayAgo(length - 1 - n)), ...NOTHING, active: 0 })),
      );
      t.strictSame(before, NOTHING);
    }
    t.hasStrict(await read(), { plugin_key: null, totals: { views: 0, installs: 0, likes: 0, plugins: 2 } });
    t.hasStrict(await read('plugin_key=first-one'), { plugin_key: 'first-one', totals: { plugins: 1 } });
  });

  t.test("counts the caller's plugins, together or one, and no others", async (t) => {
    for (const [key, users] of [
      ['first-one', [1, 2, 3]],
      ['second-one', [1]],
      ['foreign-one', [1, 2]],
    ] as const)
      for (const user of users) {
        await use('POST', '', user, { plugin_key: key });
        await use('POST', '/praise', user, { plugin_key: key, praise: 1 });
      }
    await addNewViews(
      db,
      new Map([
        [first, 5],
        [second, 2],
        [foreign, 100],
      ]),
      new Date(),
    );
    await addNewViews(db, new Map([[first, 3]]), dayAgo(1));
    await addNewViews(
      db,
      new Map([
        [first, 40],
        [foreign, 100],
      ]),
      dayAgo(8),
    );
    await addNewViews(db, new Map([[first, 1000]]), dayAgo(14));
    await settled();
    const all = await read('days=7');
    t.strictSame(all.days.at(-1), {
      day: nameOf(dayAgo(0)),
      ...NOTHING,
      views: 7,
      installs: 4,
      likes: 4,
      active: 0,
    });
    t.strictSame(all.days.at(-2), { day: nameOf(dayAgo(1)), ...NOTHING, views: 3, active: 0 });
    t.strictSame(all.before, { ...NOTHING, views: 40 }, 'the seven days before, and no day more');
    t.hasStrict(all.totals, { views: 1050, installs: 4, likes: 4, plugins: 2 });
    const one = await read('days=7&plugin_key=second-one');
    t.strictSame(one.days.at(-1), {
      day: nameOf(dayAgo(0)),
      ...NOTHING,
      views: 2,
      installs: 1,
      likes: 1,
      active: 0,
    });
    t.strictSame(one.before, NOTHING);
    t.hasStrict(one.totals, { views: 2, installs: 1, likes: 1, plugins: 1 });
  });

  t.test(
    'what is uninstalled on a later day counts on that day; on the same day neither happened',
    async (t) => {
      await pool.query('insert into plugin_install (user_id, plugin_id, installed_at) values (50, $1, $2)', [
        first,
        dayAgo(3),
      ]);
      await pool.query('update plugin_counter set install_count = install_count + 1 where plugin_id = $1', [
        first,
      ]);
      await use('DELETE', '', 50, { plugin_key: 'first-one' });
      await use('DELETE', '', 3, { plugin_key: 'first-one' });
      await settled();
      const { days } = await read('days=4&plugin_key=first-one');
      t.hasStrict(days[0], { installs: 1, uninstalls: 0 });
      t.hasStrict(days.at(-1), { installs: 2, uninstalls: 1 });
      const headers = await community.bearer(1, 2);
      const site = dataOf(
        await ask(url, 'manager/statistics?days=4', { headers }),
        contract.readStatistics.data,
      );
      t.equal(site.days.at(-1)?.uninstalls, 1, 'administrators see it as well');
    },
  );

  t.test('the list of own plugins has the daily installs of the last 30 days', async (t) => {
    for (const pluginId of [first, second])
      await addSubmission(db, { pluginId, status: 2, createdBy: OWNER });
    const listed = await ask(url, 'plugin/audit', { headers: await community.bearer(OWNER) });
    const { plugin_list } = dataOf(listed, contract.listOwnPlugins.data);
    const days = new Map(plugin_list.map((item) => [item.plugin.plugin_key, item.daily_installs]));
    const none = (count: number): number[] => Array.from({ length: count }, () => 0);
    t.strictSame(days.get('first-one'), [...none(26), 1, 0, 0, 2]);
    t.strictSame(days.get('second-one'), [...none(29), 1]);
  });

  t.test('deleted plugins are not counted', async (t) => {
    const key = 'deleted-one';
    const id = await addPlugin(db, { key, publisherId: OWNER });
    await addNewViews(db, new Map([[id, 9]]), new Date());
    await settled();
    const { active: _, ...totals } = (await read()).totals;
    t.equal(
      (
        await ask(url, 'plugin', {
          method: 'DELETE',
          headers: await community.bearer(OWNER, 2),
          body: { plugin_key: key },
        })
      ).status,
      200,
    );
    t.hasStrict((await read()).totals, { ...totals, views: totals.views - 9, plugins: totals.plugins - 1 });
    const gone = await answer(OWNER, `plugin_key=${key}`);
    t.equal(gone.status, 404);
    t.hasStrict(gone.json, { code: 'PLUGIN_NOT_FOUND' });
  });

  t.test('is zero for users without plugins', async (t) => {
    const { days, before, totals } = await read('days=2', 4711);
    t.strictSame(
      days.map(({ day, active, ...counted }) => counted),
      [NOTHING, NOTHING],
    );
    t.strictSame(before, NOTHING);
    t.strictSame(totals, { views: 0, installs: 0, likes: 0, plugins: 0, active: null });
  });

  t.test('administrators can read any plugin, other users cannot', async (t) => {
    for (const role of [1, 2] as const)
      t.equal((await read('plugin_key=first-one', 99, role)).plugin_key, 'first-one');
    const refused: [userId: number, query: string, status: number, code: string][] = [
      [OTHER, 'plugin_key=first-one', 403, 'FORBIDDEN'],
      [OWNER, 'plugin_key=foreign-one', 403, 'FORBIDDEN'],
      [OWNER, 'plugin_key=waiting-one', 404, 'PLUGIN_NOT_FOUND'],
      [OWNER, 'plugin_key=no-such-plugin', 404, 'PLUGIN_NOT_FOUND'],
      [OWNER, 'plugin_key=x', 400, 'VALIDATION_FAILED'],
      [OWNER, 'days=0', 400, 'VALIDATION_FAILED'],
      [OWNER, 'days=367', 400, 'VALIDATION_FAILED'],
    ];
    for (const [userId, query, status, code] of refused) {
      const { status: told, json } = await answer(userId, query);
      t.equal(told, status, query);
      t.hasStrict(json, { code }, query);
    }
    const visitor = await ask(url, 'plugin/statistics');
    t.equal(visitor.status, 401);
    t.hasStrict(visitor.json, { code: 'UNAUTHENTICATED' });
  });
});
