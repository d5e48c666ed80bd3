import t from 'tap';
import { addViews } from '../../../server/community/counters/store.ts';
import { contract } from '../../../shared/contract.ts';
import { flushAll, testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';
import { ask, dataOf } from '../ask.ts';

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
const NOTHING = { views: 0, installs: 0, uninstalls: 0, likes: 0 };

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
      Array.from({ length }, (_, n) => ({ day: nameOf(dayAgo(length - 1 - n)), ...NOTHING })),
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
  await addViews(
    db,
    new Map([
      [first, 5],
      [second, 2],
      [foreign, 100],
    ]),
    new Date(),
  );
  await addViews(db, new Map([[first, 3]]), dayAgo(1));
  await addViews(
    db,
    new Map([
      [first, 40],
      [foreign, 100],
    ]),
    dayAgo(8),
  );
  await addViews(db, new Map([[first, 1000]]), dayAgo(14));
  await settled();
  const all = await read('days=7');
  t.strictSame(all.days.at(-1), { day: nameOf(dayAgo(0)), views: 7, installs: 4, uninstalls: 0, likes: 4 });
  t.strictSame(all.days.at(-2), { day: nameOf(dayAgo(1)), ...NOTHING, views: 3 });
  t.strictSame(all.before, { ...NOTHING, views: 40 }, 'the seven days before, and no day more');
  t.strictSame(all.totals, { views: 1050, installs: 4, likes: 4, plugins: 2 });
  const one = await read('days=7&plugin_key=second-one');
  t.strictSame(one.days.at(-1), { day: nameOf(dayAgo(0)), views: 2, installs: 1, uninstalls: 0, likes: 1 });
  t.strictSame(one.before, NOTHING);
  t.strictSame(one.totals, { views: 2, installs: 1, likes: 1, plugins: 1 });
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
  for (const pluginId of [first, second]) await addSubmission(db, { pluginId, status: 2, createdBy: OWNER });
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
  await addViews(db, new Map([[id, 9]]), new Date());
  await settled();
  const { totals } = await read();
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
  t.strictSame((await read()).totals, { ...totals, views: totals.views - 9, plugins: totals.plugins - 1 });
  const gone = await answer(OWNER, `plugin_key=${key}`);
  t.equal(gone.status, 404);
  t.hasStrict(gone.json, { code: 'PLUGIN_NOT_FOUND' });
});

t.test('is zero for users without plugins', async (t) => {
  const { days, before, totals } = await read('days=2', 4711);
  t.strictSame(
    days.map(({ day, ...counted }) => counted),
    [NOTHING, NOTHING],
  );
  t.strictSame(before, NOTHING);
  t.strictSame(totals, { views: 0, installs: 0, likes: 0, plugins: 0 });
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
