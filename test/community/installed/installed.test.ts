import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin } from '../add-plugin.ts';
import { type Answer, ask, dataOf } from '../ask.ts';

const community = await testCommunity(t);
const { db, url, bearer } = community;

const install = async (userId: number, plugin_key: string, method = 'POST'): Promise<Answer> =>
  ask(url, 'plugin/user', { method, headers: await bearer(userId), body: { plugin_key } });
const listOf = async (userId: number, query = ''): Promise<Answer> =>
  ask(url, `plugin/user/list${query}`, { headers: await bearer(userId) });
const pageOf = async (userId: number, query = '') =>
  dataOf(await listOf(userId, query), contract.listInstalled.data);
const keys = (page: { plugin_list: { plugin: { plugin_key: string } }[] }) =>
  page.plugin_list.map(({ plugin }) => plugin.plugin_key);

t.test('without installs the list is empty', async (t) => {
  t.strictSame(await pageOf(4711), { total: 0, total_estimated: false, next_cursor: null, plugin_list: [] });
});

t.test('lists installs, newest first, with their state', async (t) => {
  for (const key of ['first-plugin', 'second-plugin', 'third-plugin']) {
    await addPlugin(db, { key, name: { 'en-US': key, 'es-ES': `${key} en español` } });
    t.equal((await install(7, key)).status, 200);
  }
  await install(8, 'first-plugin');
  await install(7, 'first-plugin', 'DELETE');
  t.strictSame(keys(await pageOf(7)), ['third-plugin', 'second-plugin']);
  await install(7, 'first-plugin');
  const page = await pageOf(7);
  t.strictSame(
    keys(page),
    ['first-plugin', 'third-plugin', 'second-plugin'],
    'installed again, it comes first',
  );
  t.equal(page.total, 3);
  t.hasStrict(page.plugin_list[0], {
    is_available: true,
    plugin: { is_installed: true, name: 'first-plugin' },
  });
  const headers = { ...(await bearer(7)), 'accept-language': 'es-ES' };
  const spanish = dataOf(await ask(url, 'plugin/user/list', { headers }), contract.listInstalled.data);
  t.equal(spanish.plugin_list[0]?.plugin.name, 'first-plugin en español');
});

for (const [title, change] of [
  ['hidden', { is_hidden: true }],
  ['deleted', { deleted_at: new Date() }],
] as const) {
  t.test(`a plugin that was ${title} is listed as no longer available`, async (t) => {
    const key = `was-${title}-since`;
    await addPlugin(db, { key });
    await install(9, key);
    await db.updateTable('plugin').set(change).where('plugin_key', '=', key).execute();
    const found = (await pageOf(9)).plugin_list.find(({ plugin }) => plugin.plugin_key === key);
    t.hasStrict(found, { is_available: false });
    t.equal((await install(9, key, 'DELETE')).status, 200);
    t.notOk(keys(await pageOf(9)).includes(key));
  });
}

t.test('pages have no gap, even between installs of the same time', async (t) => {
  for (let index = 0; index < 7; index += 1) {
    await addPlugin(db, { key: `many-number-${index}` });
    await install(10, `many-number-${index}`);
  }
  await community.pool.query(
    "update plugin_install set installed_at = '2025-01-01' where user_id = 10 and plugin_id % 2 = 0",
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
  t.test(title, async (t) => {
    const answer = await listOf(7, query);
    t.equal(answer.status, 400);
    t.hasStrict(answer.json, { code });
  });
}

t.test("somebody else's cursor is refused", async (t) => {
  const { next_cursor } = await pageOf(10, '?limit=2');
  const answer = await listOf(7, `?cursor=${next_cursor}`);
  t.equal(answer.status, 400);
  t.hasStrict(answer.json, { code: 'BAD_CURSOR' });
});

t.test('visitors have nothing installed', async (t) => {
  t.equal((await ask(url, 'plugin/user/list')).status, 401);
});
