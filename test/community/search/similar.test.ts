import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin, addTag } from '../add-plugin.ts';
import { ask, dataOf, keysOf } from '../ask.ts';

const { db, url } = await testCommunity(t);
const tag = await addTag(db, 'first', { 'en-US': 'First' });
for (let n = 1; n <= 5; n += 1) {
  await addPlugin(db, {
    key: `contrast-${n}`,
    name: { 'en-US': `Contrast compass ${n}`, 'zh-CN': '对比度罗盘' },
    likes: n,
    tags: n === 1 ? [tag] : [],
  });
}
await addPlugin(db, { key: 'only-four', name: { 'en-US': 'Grid' } });
await addPlugin(db, { key: 'number-2024', name: { 'en-US': '20245 days' } });

async function search(keyword: string, query = '') {
  const path = `plugin/list?keyword=${encodeURIComponent(keyword)}${query}`;
  return dataOf(await ask(url, path), contract.listPlugins.data);
}

for (const mistyped of [
  'contarst',
  'contrst',
  'conttrast',
  'contrazt',
  'xontrast',
  'compasd contrast',
  'contarst comp',
]) {
  t.test(`“${mistyped}” finds the intended plugins`, async (t) => {
    const page = await search(mistyped);
    t.equal(page.total, 5);
    t.equal(page.plugin_list.length, 5);
  });
}

for (const mistyped of ['对比渡罗盘', '对度罗盘', '对比度的罗盘', '对比度罗']) {
  t.test(`“${mistyped}” finds the intended plugins`, async (t) => {
    t.equal((await search(mistyped)).total, 5);
  });
}

for (const other of ['contratts', 'gri', 'grd', 'grix', '20246', 'contarst xyzzy', '罗度', 'xyzzy']) {
  t.test(`“${other}” is not corrected`, async (t) => {
    const expected = ['gri', 'grix'].includes(other) ? 1 : 0;
    t.equal((await search(other)).total, expected);
  });
}

t.test('a word that matches outside of the tag is not corrected', async (t) => {
  t.strictSame(keysOf(await search('grid', `&tag_id=${tag}`)), []);
  t.strictSame(keysOf(await search('contarst', `&tag_id=${tag}`)), ['contrast-1']);
});

t.test('pages of a corrected search contain every plugin exactly once, with one total', async (t) => {
  const all = keysOf(await search('contarst'));
  const keys: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await search('contarst', `&limit=2${cursor && `&cursor=${cursor}`}`);
    t.equal(page.total, 5);
    keys.push(...keysOf(page));
    cursor = page.next_cursor;
  }
  t.strictSame(keys, all);
});
