import t from 'tap';
import { flush } from '../../../../server/community/catalogue/counters/flush.ts';
import { reorderByPopularity } from '../../../../server/community/catalogue/counters/store.ts';
import { SAME_VIEW } from '../../../../server/community/catalogue/counters/view-store.ts';
import { createViewCounter } from '../../../../server/community/catalogue/counters/views.ts';
import { flushAll, noViews, testCommunity } from '../../../support/community.ts';
import { addPlugin } from '../../add-plugin.ts';
import { addNewViews } from '../../add-views.ts';
import { ask } from '../../ask.ts';

t.test('counting', async (t) => {
  const community = await testCommunity(t);
  const { db, pool, url } = community;
  const settled = () => flush(db, noViews(), Date.now);
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
          ...(n % 5 === 0 ? [settled(), addNewViews(db, new Map(ids.map((id) => [id, 1])), new Date())] : []),
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
      await addNewViews(db, new Map([[id, 100]]), new Date());
      await reorderByPopularity(db);
      t.equal(await differences(), 1);
      await other.query('rollback');
    } finally {
      other.release();
    }
    await flushAll(db);
    t.equal(await differences(), 0);
  });
});

t.test('views', async (t) => {
  t.test('the database cannot tell who looked at what', async (t) => {
    const at = Date.parse('2026-03-01T12:00:00Z');
    const { db, pool } = await testCommunity(t, { now: () => at });
    const id = await addPlugin(db, { key: 'looked-at' });
    const hashes: string[] = [];
    for (const key of [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]) {
      const views = createViewCounter({ key, now: () => at });
      views.add(id, 'user 7', 'direct');
      const [view] = views.take();
      hashes.push(view?.hash ?? '');
      views.putBack(view ? [view] : []);
      await flush(db, views, () => at);
    }
    t.not(hashes[0], hashes[1], 'the key of the deployment counts');
    const { rows } = await pool.query(
      `select encode(view_hash, 'hex') as hash, to_jsonb(r) - 'view_hash' as rest from recent_view r`,
    );
    t.strictSame(rows.map(({ hash }) => hash).sort(), hashes.sort());
    for (const { rest } of rows) t.strictSame(Object.keys(rest), ['counted_at']);
    for (const hash of hashes) t.match(hash, /^[0-9a-f]{32}$/);
    await flush(db, noViews(), () => at + SAME_VIEW);
    t.equal((await pool.query('select from recent_view')).rowCount, 2);
    await flush(db, noViews(), () => at + SAME_VIEW + 1);
    t.equal((await pool.query('select from recent_view')).rowCount, 0, 'forgotten after half an hour');
  });

  t.test('holds only the allowed number of unwritten views', async (t) => {
    const views = noViews(Date.now, 3);
    for (const viewer of ['a', 'a', 'b', 'c', 'd']) views.add(1, viewer, 'direct');
    const taken = views.take();
    t.equal(taken.length, 3);
    t.strictSame(views.take(), []);
    for (const viewer of ['a', 'e']) views.add(1, viewer, 'direct');
    views.putBack(taken);
    t.strictSame(views.take(), taken, 'the first ones stay');
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

  t.test('a view counts once over instances and restarts', async (t) => {
    let at = Date.parse('2026-03-01T12:00:00Z');
    const first = await testCommunity(t, { now: () => at });
    const start = () => testCommunity(t, { now: () => at, beside: first });
    const second = await start();
    await addPlugin(first.db, { key: 'seen-often' });
    const reader = await first.bearer(7);
    const visitor = { 'x-forwarded-for': '203.0.113.1' };
    const viewAt = async ({ url }: { url: string }) => {
      for (const headers of [reader, visitor])
        await ask(url, 'plugin/view', { headers, body: { plugin_key: 'seen-often' } });
    };
    const counted = async () => (await first.pool.query('select view_count from plugin_counter')).rows;
    for (const instance of [first, second]) await viewAt(instance);
    await Promise.all([first.app.close(), second.app.close()]);
    t.strictSame(await counted(), [{ view_count: 2 }], 'two instances that write at once');
    at += SAME_VIEW;
    const third = await start();
    await viewAt(third);
    await third.app.close();
    t.strictSame(await counted(), [{ view_count: 2 }], 'after a restart');
    at += 1;
    const fourth = await start();
    await viewAt(fourth);
    await fourth.app.close();
    t.strictSame(await counted(), [{ view_count: 4 }], 'half an hour after the view that counted');
  });

  t.test('views are kept after a failed write', async (t) => {
    const { db, pool } = await testCommunity(t);
    const id = await addPlugin(db, { key: 'kept-views' });
    const views = noViews(() => 0);
    for (const viewer of ['a', 'b', 'c']) views.add(id, viewer, 'direct');
    await pool.query('alter table plugin_view rename to away');
    await t.rejects(
      flush(db, views, () => 0),
      { message: /plugin_view/ },
    );
    await pool.query('alter table away rename to plugin_view');
    for (const viewer of ['a', 'd']) views.add(id, viewer, 'direct');
    await flush(db, views, () => 0);
    const { rows } = await pool.query('select day, view_count from plugin_view');
    t.strictSame(rows, [{ day: '1970-01-01', view_count: 4 }]);
  });

  t.test('a view of a deleted plugin is not an error', async (t) => {
    const { db } = await testCommunity(t);
    const views = noViews();
    views.add(4711, 'a', 'direct');
    await t.resolves(flush(db, views, () => 0));
  });
});
