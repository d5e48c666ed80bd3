import t from 'tap';
import { flush } from '../../../server/community/background.ts';
import { addViews, reorderByPopularity } from '../../../server/community/counters/store.ts';
import { countViews, SAME_VIEW } from '../../../server/community/counters/views.ts';
import { flushAll, testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
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
