import t from 'tap';
import { flush } from '../../../server/community/background.ts';
import { addViews, reorderByPopularity } from '../../../server/community/counters/store.ts';
import { countViews } from '../../../server/community/counters/views.ts';
import { flushAll, testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { ask } from '../ask.ts';

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
