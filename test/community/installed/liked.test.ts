import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { type Answer, ask, dataOf } from '../ask.ts';

const community = await testCommunity(t);
const { db, url, bearer } = community;

const praise = async (userId: number, plugin_key: string, praise = 1): Promise<Answer> =>
  ask(url, 'plugin/user/praise', { headers: await bearer(userId), body: { plugin_key, praise } });
const listOf = async (userId: number, query = ''): Promise<Answer> =>
  ask(url, `plugin/liked${query}`, { headers: await bearer(userId) });
const pageOf = async (userId: number, query = '') =>
  dataOf(await listOf(userId, query), contract.listLiked.data);
const keys = (page: { plugin_list: { plugin: { plugin_key: string } }[] }) =>
  page.plugin_list.map(({ plugin }) => plugin.plugin_key);

t.test('without likes the list is empty', async (t) => {
  t.strictSame(await pageOf(4711), { total: 0, total_estimated: false, next_cursor: null, plugin_list: [] });
});

t.test('lists the likes of the caller only, latest first', async (t) => {
  for (const key of ['first-plugin', 'second-plugin', 'third-plugin']) {
    await addPlugin(db, { key });
    t.equal((await praise(7, key)).status, 200);
  }
  await praise(8, 'first-plugin');
  await praise(7, 'first-plugin', -1);
  t.strictSame(keys(await pageOf(7)), ['third-plugin', 'second-plugin']);
  t.strictSame(keys(await pageOf(8)), ['first-plugin']);
  await praise(7, 'first-plugin');
  const page = await pageOf(7);
  t.strictSame(keys(page), ['first-plugin', 'third-plugin', 'second-plugin'], 'liked again, it comes first');
  t.hasStrict(page, { total: 3, total_estimated: false, next_cursor: null });
  t.hasStrict(page.plugin_list[0], { is_available: true, plugin: { is_praise: 1, praise_count: 2 } });
  const at = Date.parse(page.plugin_list[0]?.liked_at ?? '');
  t.ok(Math.abs(Date.now() - at) < 60_000);
});

for (const [title, change] of [
  ['hidden', { is_hidden: true }],
  ['deleted', { deleted_at: new Date() }],
] as const) {
  t.test(`a plugin that was ${title} is listed as no longer there, and can be unliked`, async (t) => {
    const key = `was-${title}-since`;
    await addPlugin(db, { key });
    await praise(9, key);
    await db.updateTable('plugin').set(change).where('plugin_key', '=', key).execute();
    const found = (await pageOf(9)).plugin_list.find(({ plugin }) => plugin.plugin_key === key);
    t.hasStrict(found, { is_available: false });
    t.equal((await praise(9, key, -1)).status, 200);
    t.notOk(keys(await pageOf(9)).includes(key));
  });
}

t.test('pages have no gap, even between likes of the same time', async (t) => {
  for (let index = 0; index < 7; index += 1) {
    await addPlugin(db, { key: `many-number-${index}` });
    await praise(10, `many-number-${index}`);
  }
  await community.pool.query(
    "update plugin_like set created_at = '2025-01-01' where user_id = 10 and plugin_id % 2 = 0",
  );
  const all = keys(await pageOf(10));
  t.equal(all.length, 7);
  const walked: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await pageOf(10, `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    walked.push(...keys(page));
    cursor = page.next_cursor;
  }
  t.strictSame(walked, all);
});

for (const [title, query, code] of [
  ['a cursor that is none', '?cursor=abc', 'BAD_CURSOR'],
  ['a limit of nothing', '?limit=0', 'VALIDATION_FAILED'],
  ['a limit above the largest page', '?limit=101', 'VALIDATION_FAILED'],
] as const) {
  t.test(`rejected: ${title}`, async (t) => {
    const answer = await listOf(7, query);
    t.equal(answer.status, 400);
    t.hasStrict(answer.json, { code });
  });
}

t.test("somebody else's cursor, and one of what is installed, are refused", async (t) => {
  const { next_cursor } = await pageOf(10, '?limit=2');
  const foreign = await listOf(7, `?cursor=${next_cursor}`);
  t.equal(foreign.status, 400);
  t.hasStrict(foreign.json, { code: 'BAD_CURSOR' });
  const headers = await bearer(10);
  const other = await ask(url, `plugin/user/list?cursor=${next_cursor}`, { headers });
  t.equal(other.status, 400);
  t.hasStrict(other.json, { code: 'BAD_CURSOR' });
});

t.test('visitors have no likes', async (t) => {
  const answer = await ask(url, 'plugin/liked');
  t.equal(answer.status, 401);
  t.hasStrict(answer.json, { code: 'UNAUTHENTICATED' });
});
