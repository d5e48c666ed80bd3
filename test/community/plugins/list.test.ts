import t from 'tap';
import { reorderByPopularity } from '../../../server/community/counters/store.ts';
import { contract } from '../../../shared/contract.ts';
import type { PluginPage } from '../../../shared/entities/plugin.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin, addTag } from '../add-plugin.ts';
import { ask, dataOf, keysOf } from '../ask.ts';

const COUNT = 57;
const community = await testCommunity(t);
const { db, url } = community;
const tag = await addTag(db, 'seven', { 'en-US': 'Seven', 'ja-JP': '七' });
const unused = await addTag(db, 'unused');
for (let n = 0; n < COUNT; n += 1) {
  await addPlugin(db, {
    key: `plugin-${String(n).padStart(3, '0')}`,
    // Groups of ten share a moment and a popularity, so only the id puts them in order.
    updatedAt: new Date(Date.UTC(2025, 0, 1 + Math.floor(n / 10))),
    likes: (n * 7) % 10,
    tags: n % 7 === 0 ? [tag] : [],
  });
}
await reorderByPopularity(db);

async function list(query: string, headers: Record<string, string> = {}): Promise<PluginPage> {
  return dataOf(await ask(url, `plugin/list?${query}`, { headers }), contract.listPlugins.data);
}

async function walk(query: string, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
  const keys: string[] = [];
  let cursor = '';
  do {
    const page = await list(`${query}${cursor && `&cursor=${cursor}`}`);
    keys.push(...keysOf(page));
    cursor = page.next_cursor ?? '';
    await between();
  } while (cursor !== '');
  return keys;
}

const expected = Array.from({ length: COUNT }, (_, n) => `plugin-${String(n).padStart(3, '0')}`).toReversed();

t.test('latest first, 24 per page, with the total', async (t) => {
  const page = await list('');
  t.equal(page.total, COUNT);
  t.equal(page.total_estimated, false);
  t.strictSame(keysOf(page), expected.slice(0, 24));
});

t.test('every page of the latest gives every plugin exactly once', async (t) => {
  t.strictSame(await walk('limit=5'), expected);
  t.strictSame(await walk('limit=57'), expected);
  t.strictSame(await walk('limit=100'), expected);
});

t.test('the most popular first', async (t) => {
  const keys = await walk('sort=1&limit=10');
  t.strictSame(keys.toSorted(), expected.toSorted());
  const likes = (await list('sort=1&limit=100')).plugin_list.map((plugin) => plugin.praise_count);
  t.strictSame(
    likes,
    likes.toSorted((a, b) => b - a),
  );
});

t.test('paging by popularity shows every plugin once during concurrent likes', async (t) => {
  let user = 1000;
  const keys = await walk('sort=1&limit=6', async () => {
    for (const plugin_key of ['plugin-050', 'plugin-001', 'plugin-030']) {
      user += 1;
      const body = { plugin_key, praise: 1 };
      const answer = await ask(url, 'plugin/user/praise', { headers: await community.bearer(user), body });
      t.equal(answer.status, 200);
    }
  });
  t.strictSame(keys.toSorted(), expected.toSorted());
  t.equal(new Set(keys).size, COUNT);
});

t.test('likes move a plugin up after reordering', async (t) => {
  t.equal((await reorderByPopularity(db)) > 0, true);
  t.strictSame(keysOf(await list('sort=1&limit=3')).toSorted(), ['plugin-001', 'plugin-030', 'plugin-050']);
  t.equal(await reorderByPopularity(db), 0);
});

t.test('a tag lists its plugins in both orders', async (t) => {
  const own = expected.filter((_, index) => (COUNT - 1 - index) % 7 === 0);
  t.strictSame(await walk(`tag_id=${tag}&limit=4`), own);
  t.strictSame((await walk(`tag_id=${tag}&sort=1&limit=4`)).toSorted(), own.toSorted());
  t.equal((await list(`tag_id=${tag}&limit=1`)).total, own.length);
});

t.test('a tag without plugins is empty, not unknown', async (t) => {
  t.hasStrict(await list(`tag_id=${unused}`), { total: 0, next_cursor: null, plugin_list: [] });
});

t.test('a blank keyword is ignored', async (t) => {
  t.equal((await list('keyword=%20%20')).total, COUNT);
});

t.test('a cursor is valid for its own list only', async (t) => {
  const { next_cursor: cursor } = await list('limit=5');
  for (const other of ['sort=1', `tag_id=${tag}`, 'keyword=plugin']) {
    const answer = await ask(url, `plugin/list?${other}&cursor=${cursor}`);
    t.equal(answer.status, 400, other);
    t.hasStrict(answer.json, { code: 'BAD_CURSOR' });
  }
  t.equal((await list(`limit=100&cursor=${cursor}`)).plugin_list.length, COUNT - 5);
});

t.test('an altered cursor is rejected', async (t) => {
  const { next_cursor: cursor = '' } = await list('limit=5');
  const text = cursor ?? '';
  for (let at = 0; at < text.length; at += 1) {
    const altered = `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`;
    const answer = await ask(url, `plugin/list?cursor=${altered}`);
    t.equal(answer.status, 400, altered);
  }
});

t.test('tag names are in the requested language, or else in English', async (t) => {
  const names = async (language: string) => {
    const answer = await ask(url, 'plugin/tag/list', { headers: { 'accept-language': language } });
    return dataOf(answer, contract.listTags.data).tag_list.map((item) => item.name);
  };
  t.strictSame(await names('ja-JP'), ['七', 'unused']);
  t.strictSame(await names('ko-KR'), ['Seven', 'unused']);
  t.strictSame(await names('tlh'), ['Seven', 'unused']);
});
