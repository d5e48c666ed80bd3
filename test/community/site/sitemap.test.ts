import t from 'tap';
import { sitemapRoutes } from '../../../shared/routes/site.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { ask, dataOf } from '../ask.ts';

const { db, url, pool } = await testCommunity(t);

async function readRanges(): Promise<number[]> {
  return dataOf(await ask(url, 'plugin/sitemap/ranges'), sitemapRoutes.listSitemapRanges.data).range_list;
}

async function readKeys(range: number): Promise<string[]> {
  const answer = await ask(url, `plugin/sitemap?range=${range}`);
  return dataOf(answer, sitemapRoutes.listSitemapPlugins.data).plugin_list.map((plugin) => plugin.plugin_key);
}

t.test('an empty catalogue has no ranges', async (t) => {
  t.strictSame(await readRanges(), []);
  t.strictSame(await readKeys(0), []);
});

t.test('ranges have published plugins only', async (t) => {
  const updatedAt = new Date('2026-02-03T04:05:06Z');
  await addPlugin(db, { key: 'plugin-first', updatedAt });
  await addPlugin(db, { key: 'plugin-waiting', auditStatus: 1 });
  await addPlugin(db, { key: 'plugin-hidden', isHidden: true });
  await addPlugin(db, { key: 'plugin-deleted', deletedAt: new Date() });
  await pool.query('alter table plugin alter id restart with 999');
  await addPlugin(db, { key: 'plugin-999' });
  await addPlugin(db, { key: 'plugin-1000' });
  await pool.query('alter table plugin alter id restart with 5000');
  await addPlugin(db, { key: 'plugin-5000', tags: [] });
  await pool.query('alter table plugin alter id restart with 7000');
  await addPlugin(db, { key: 'plugin-7000', isHidden: true });
  t.strictSame(await readRanges(), [0, 1, 5]);
  t.strictSame(await readKeys(0), ['plugin-first', 'plugin-999']);
  t.strictSame(await readKeys(1), ['plugin-1000']);
  t.strictSame(await readKeys(5), ['plugin-5000']);
  t.strictSame(await readKeys(7), []);
  const { plugin_list } = dataOf(
    await ask(url, 'plugin/sitemap?range=0'),
    sitemapRoutes.listSitemapPlugins.data,
  );
  t.equal(plugin_list[0]?.updated_at, '2026-02-03T04:05:06.000Z');
});

for (const query of ['', '?range=-1', '?range=50000', '?range=x', '?range=1e99']) {
  t.test(`"${query}" is no range`, async (t) => {
    const answer = await ask(url, `plugin/sitemap${query}`);
    t.equal(answer.status, 400);
    t.hasStrict(answer.json, { code: 'VALIDATION_FAILED' });
  });
}
