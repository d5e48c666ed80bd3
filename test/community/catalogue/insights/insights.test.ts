import t from 'tap';
import { deleteRareKeywords } from '../../../../server/community/catalogue/insights/keyword-store.ts';
import { createFoundKeywords } from '../../../../server/community/catalogue/insights/keywords.ts';
import { insightRound } from '../../../../server/community/catalogue/insights/round.ts';
import { sourceOf } from '../../../../server/community/catalogue/insights/source.ts';
import { contract } from '../../../../shared/contract.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { until } from '../../../support/until.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';
import { countNext } from '../count-next.ts';
import { addVersion } from '../versions/add-version.ts';

const DAY = 24 * 60 * 60 * 1000;
/** A Tuesday. */
const START = Date.UTC(2026, 2, 10, 12);

t.test('insights', async (t) => {
  const clock = { now: START };
  const now = () => clock.now;
  const community = await testCommunity(t, { publishers: 'members', now });
  const { db, pool, url, bearer, dataDir } = community;
  const publisher = await bearer(PUBLISHER_ID);
  const read = async (key: string, days = 30) =>
    dataOf(
      await ask(url, `plugin/statistics/insights?plugin_key=${key}&days=${days}`, { headers: publisher }),
      contract.readInsights.data,
    );
  const csv = async (query: string) => {
    const answer = await fetch(`${url}/api/cmt/plugin/statistics/export?${query}`, { headers: publisher });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const round = insightRound({ days: 0, choice: 'any' });
  /** Counts as of now, also if the app has counted today. */
  const count = async (batch = round.batch) => {
    await until(async () => {
      await pool.query("update insight_round set after_id = 0, started_at = 'epoch'");
      let next = 'batch';
      while (next === 'batch') next = await countNext(db, { ...round, batch }, now());
      const { rows } = await pool.query('select after_id::int, started_at from insight_round');
      return rows[0].after_id === 0 && rows[0].started_at.getTime() === now();
    });
  };
  const addInstalls = async (
    pluginId: number,
    users: readonly number[],
    {
      at = now(),
      goneAt,
      version,
      isSilent = false,
    }: {
      at?: number;
      goneAt?: number;
      version?: number;
      isSilent?: boolean;
    } = {},
  ) =>
    pool.query(
      `insert into plugin_install (user_id, plugin_id, installed_at, uninstalled_at, accepted_version_id, is_silent)
        select u, $1, $2, $3, $4, $5 from unnest($6::bigint[]) u`,
      [
        pluginId,
        new Date(at),
        goneAt === undefined ? null : new Date(goneAt),
        version ?? null,
        isSilent,
        users,
      ],
    );
  const setActive = async (users: readonly number[], day: string) =>
    pool.query(
      `insert into active_person select u, $1::date from unnest($2::bigint[]) u
        on conflict (user_id) do update set active_on = excluded.active_on`,
      [day, users],
    );

  t.test('an install is active if its account was used within 30 days', async (t) => {
    const id = await addPlugin(db, { key: 'active-one' });
    const other = await addPlugin(db, { key: 'idle-one' });
    await addInstalls(id, [1, 2, 3, 4]);
    await addInstalls(id, [5], { goneAt: now() });
    await setActive([1, 5], '2026-03-10');
    await setActive([2], '2026-02-09');
    await setActive([3], '2026-02-08');
    await count(1);
    t.equal((await read('active-one')).active_count, 2, 'the account of 30 days ago is no longer active');
    t.equal((await read('idle-one')).active_count, 0);
    const shown = dataOf(await ask(url, 'plugin?plugin_key=active-one'), contract.readPlugin.data);
    t.equal(shown.active_count, 2);
    const own = async () =>
      dataOf(
        await ask(url, 'plugin/statistics?days=2&plugin_key=active-one', { headers: publisher }),
        contract.readOwnStatistics.data,
      );
    t.equal((await own()).totals.active, 2);
    t.strictSame(
      (await own()).days.map(({ active }) => active),
      [0, 2],
    );
    clock.now += DAY;
    t.strictSame(
      (await own()).days.map(({ active }) => active),
      [2, 2],
      'until it is counted again',
    );
    await setActive([1, 2], '2026-01-01');
    await count();
    t.strictSame(
      (await own()).days.map(({ active }) => active),
      [2, 0],
    );
    t.equal(other > id, true);
  });

  t.test('a round is counted once a day, in batches that go on where they were', async (t) => {
    await count();
    t.equal(await countNext(db, { ...round, batch: 1 }, now()), 'idle', 'counted today');
    clock.now += DAY;
    t.equal(await countNext(db, { ...round, batch: 1 }, now()), 'batch');
    const { rows } = await pool.query('select after_id::int as after from insight_round');
    t.ok(rows[0].after > 0);
    t.equal(await countNext(db, round, now()), 'idle', 'the rest');
  });

  t.test('views and first installs count for where people came from', async (t) => {
    await addPlugin(db, { key: 'sourced-one' });
    const view = async (user: number, body: object) =>
      ask(url, 'plugin/view', { headers: await bearer(user), body: { plugin_key: 'sourced-one', ...body } });
    await view(11, { source: 'search', keyword: 'icons' });
    await view(12, { source: 'search' });
    await view(13, {});
    const install = async (user: number, method: string, body: object = {}) =>
      ask(url, 'plugin/user', {
        method,
        headers: await bearer(user),
        body: { plugin_key: 'sourced-one', ...body },
      });
    await install(11, 'POST', { source: 'search' });
    await install(11, 'DELETE');
    await install(11, 'POST', { source: 'home' });
    await install(12, 'POST', { source: 'home' });
    await install(13, 'POST');
    await until(async () => {
      await flushAll(db);
      return (await read('sourced-one')).source_list.some(({ views }) => views > 0);
    });
    t.strictSame((await read('sourced-one')).source_list, [
      { source: 'search', views: 2, installs: 0 },
      { source: 'direct', views: 1, installs: 0 },
    ]);
    // The database dates installs.
    await pool.query("update part_figure set day = '2026-03-11' where figure = 'installs'");
    t.strictSame((await read('sourced-one')).source_list, [
      { source: 'search', views: 2, installs: 1 },
      { source: 'direct', views: 1, installs: 1 },
      { source: 'home', views: 0, installs: 1 },
    ]);
    const wrong = await view(14, { source: 'https://example.org/' });
    t.equal(wrong.status, 400);
    t.hasStrict(wrong.json, { code: 'VALIDATION_FAILED' });
    const { text } = await csv('plugin_key=sourced-one&table=sources');
    t.match(text, /^"day","source","views","installs"\r\n/);
    t.match(text, '"search","2","0"');
  });

  t.test('a tool is known as one, whatever it says', async (t) => {
    const member = { user_id: 1, role: 0, nick_name: '', avatar_url: '' } as const;
    t.equal(sourceOf({ ...member, scopes: ['plugins:install'] }, 'home'), 'tool');
    t.equal(sourceOf(member, 'home'), 'home');
    t.equal(sourceOf(null, undefined), 'direct');
  });

  t.test('keywords are told once five people used them in a month', async (t) => {
    const id = await addPlugin(db, { key: 'searched-one' });
    const keywords = createFoundKeywords({ key: Buffer.alloc(32, 1), now });
    for (const viewer of ['a', 'b', 'c', 'd']) {
      keywords.add(id, viewer, 'Icons');
      keywords.add(id, viewer, 'my name');
    }
    keywords.add(id, 'a', 'icons ');
    keywords.add(id, 'a', 'someone@example.org');
    keywords.add(id, 'a', '');
    await keywords.write(db);
    t.strictSame((await read('searched-one')).keyword_list, [], 'four people are too few');
    keywords.add(id, 'e', 'ICONS');
    keywords.add(id, 'a', 'icons');
    await keywords.write(db);
    t.strictSame((await read('searched-one')).keyword_list, [{ keyword: 'icons', people: 5 }]);
    const { rows: stored } = await pool.query(
      'select keyword from found_keyword where plugin_id = $1 order by 1',
      [id],
    );
    t.strictSame(
      stored.map(({ keyword }) => keyword),
      ['icons', 'my name'],
      'nothing that may tell who searched',
    );
    t.strictSame((await read('searched-one', 1)).keyword_list.length, 1, 'the month of these days');
    t.match((await csv('plugin_key=searched-one&table=keywords')).text, /people"\r\n$/, 'no figure, no line');
    await deleteRareKeywords(db, new Date(now()));
    t.equal((await pool.query('select from keyword_use')).rowCount, 10, 'the month is not over');
    await deleteRareKeywords(db, new Date(now() + 40 * DAY));
    t.equal((await pool.query('select from keyword_use')).rowCount, 0);
    t.strictSame((await pool.query('select keyword from found_keyword')).rows, [{ keyword: 'icons' }]);
  });

  t.test('what could not be written is kept', async (t) => {
    const id = await addPlugin(db, { key: 'kept-one' });
    const keywords = createFoundKeywords({ key: Buffer.alloc(32, 1), now });
    for (const viewer of ['a', 'b', 'c', 'd', 'e']) keywords.add(id, viewer, 'grid');
    await pool.query('alter table keyword_use rename to elsewhere');
    await t.rejects(keywords.write(db), { code: '42P01' });
    await pool.query('alter table elsewhere rename to keyword_use');
    await keywords.write(db);
    t.strictSame((await read('kept-one')).keyword_list, [{ keyword: 'grid', people: 5 }]);
  });

  t.test('versions in use and uninstalls of each', async (t) => {
    const id = await addPlugin(db, { key: 'versioned-one', code: { domains: [] } });
    const { rows } = await pool.query('select current_version_id::int as id from plugin where id = $1', [id]);
    const wide = await addVersion(db, dataDir, {
      pluginId: id,
      version: '2.0.0',
      isCurrent: true,
    });
    await pool.query(
      `update plugin_version set package_manifest = '{}', allowed_domains = '{api.example.org}' where id = $1`,
      [wide],
    );
    const users = [21, 22, 23, 24];
    await setActive(users, new Date(now()).toISOString().slice(0, 10));
    await addInstalls(id, [21, 22], { at: now() - 2 * DAY, version: rows[0].id });
    await addInstalls(id, [23, 24], { at: now() - 2 * DAY, version: wide });
    await count();
    t.strictSame((await read('versioned-one')).version_list, [
      { version: '2.0.0', active: 2, uninstalls: 0 },
      { version: '1.0.0', active: 2, uninstalls: 0 },
    ]);
    await pool.query('update plugin_counter set install_count = 4 where plugin_id = $1', [id]);
    for (const user of [21, 23, 24])
      await ask(url, 'plugin/user', {
        method: 'DELETE',
        headers: await bearer(user),
        body: { plugin_key: 'versioned-one' },
      });
    await flushAll(db);
    const { rows: gone } = await pool.query(
      "select part, total::int from part_figure where plugin_id = $1 and figure = 'uninstalls' order by part",
      [id],
    );
    t.strictSame(gone, [
      { part: '1.0.0', total: 1 },
      { part: '2.0.0', total: 2 },
    ]);
  });

  t.test('retention of the installs of a week, without small cohorts', async (t) => {
    const id = await addPlugin(db, { key: 'cohort-one' });
    clock.now = Date.UTC(2026, 5, 8, 12);
    const WEEK = 7 * DAY;
    const monday = Date.UTC(2026, 3, 6, 1);
    await addInstalls(id, [31, 32, 33], { at: monday });
    await addInstalls(id, [34], { at: monday, goneAt: monday + 3 * DAY });
    await addInstalls(id, [35], { at: monday + 6 * DAY, goneAt: monday + 6 * DAY + 3 * WEEK });
    await addInstalls(id, [36], { at: monday, isSilent: true });
    await addInstalls(id, [41, 42, 43, 44], { at: monday + WEEK });
    await addInstalls(id, [51, 52, 53, 54, 55], { at: Date.UTC(2026, 4, 25) });
    await addInstalls(id, [61, 62, 63, 64, 65], { at: now() });
    await count();
    t.strictSame((await read('cohort-one')).cohort_list, [
      { week: '2026-05-25', installs: 5, kept_1: 5, kept_2: null, kept_4: null, kept_8: null },
      { week: '2026-04-06', installs: 5, kept_1: 4, kept_2: 4, kept_4: 3, kept_8: 3 },
    ]);
    await pool.query("insert into day_figure values ($1, '2026-04-06', 'views', 1)", [id]);
    const { text } = await csv('plugin_key=cohort-one&table=retention');
    t.equal(
      text,
      '"week","installs","kept_1_week","kept_2_weeks","kept_4_weeks","kept_8_weeks"\r\n' +
        '"2026-04-06","5","4","4","3","3"\r\n"2026-05-25","5","5","","",""\r\n',
    );
    clock.now += 20 * WEEK;
    await pool.query('delete from plugin_install where plugin_id = $1', [id]);
    await count();
    t.equal((await read('cohort-one')).cohort_list.length, 2, 'what is over stays');
  });

  t.test('CSV of days, for years, within the days asked for', async (t) => {
    const id = await addPlugin(db, { key: 'lasting-one' });
    clock.now = Date.UTC(2026, 5, 8, 12);
    await pool.query(
      `insert into day_figure (plugin_id, day, figure, total)
        select $1, d, 'views', 2 from generate_series(date '2023-01-15', date '2026-06-08', interval '1 day') d`,
      [id],
    );
    const all = await csv('plugin_key=lasting-one&table=days');
    const lines = all.text.trimEnd().split('\r\n');
    t.equal(all.status, 200);
    t.equal(all.headers.get('content-type'), 'text/csv; charset=utf-8');
    t.equal(all.headers.get('content-disposition'), 'attachment; filename="lasting-one-days.csv"');
    t.equal(lines[0], '"day","views","installs","uninstalls","downloads","likes","active_installs"');
    t.equal(lines[1], '"2023-01-15","2","0","0","0","0",""');
    t.equal(lines.at(-1), '"2026-06-08","2","0","0","0","0",""');
    t.equal(lines.length, 1 + 1241, 'each day once');
    const some = await csv('plugin_key=lasting-one&table=days&from=2026-06-01&until=2026-06-03');
    t.equal(some.text.trimEnd().split('\r\n').length, 4);
    const empty = await csv('plugin_key=lasting-one&table=days&from=2026-06-03&until=2026-06-01');
    t.equal(empty.text.trimEnd().split('\r\n').length, 1);
    for (const query of [
      'plugin_key=lasting-one&table=days&from=yesterday',
      'plugin_key=lasting-one&table=days&until=2026-02-30',
      'plugin_key=lasting-one&table=people',
      'table=days',
    ]) {
      const refused = await csv(query);
      t.equal(refused.status, 400, query);
      t.equal(JSON.parse(refused.text).code, 'VALIDATION_FAILED');
    }
  });
});
