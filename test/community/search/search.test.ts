import t from 'tap';
import { reorderByPopularity } from '../../../server/community/counters/store.ts';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { addPlugin, addTag } from '../add-plugin.ts';
import { ask, dataOf, keysOf } from '../ask.ts';

const { db, url } = await testCommunity(t);
const tag = await addTag(db, 'colour', { 'en-US': 'Colour', 'zh-CN': '色彩' });
await addPlugin(db, {
  key: 'palette-one',
  name: {
    'en-US': 'Color',
    'zh-CN': '配色',
    'ja-JP': 'カラーパレット',
    'ko-KR': '색상표',
    'ru-RU': 'Палитра',
    'es-ES': 'Paleta de diseño',
  },
  likes: 1,
  tags: [tag],
});
await addPlugin(db, { key: 'prefix-two', name: { 'en-US': 'Color Picker', 'zh-CN': '配色助手' }, likes: 5 });
await addPlugin(db, { key: 'prefix-three', name: { 'en-US': 'Colorful grids' }, likes: 9 });
await addPlugin(db, {
  key: 'within-four',
  name: { 'en-US': 'My color notes', 'zh-CN': '自动配色' },
  likes: 50,
});
await addPlugin(db, {
  key: 'intro-five',
  name: { 'en-US': 'Swatches' },
  intro: { 'en-US': 'Any color' },
  likes: 60,
});
await addPlugin(db, {
  key: 'text-six',
  name: { 'en-US': 'Export', 'ru-RU': 'Экспорт' },
  description: { 'en-US': 'Keeps each color', 'ru-RU': 'Ёлка и цвета' },
  likes: 99,
});
await addPlugin(db, { key: 'quoted-seven', name: { 'en-US': `It's a \\ "name" & more:*` } });
await addPlugin(db, { key: 'hidden-eight', name: { 'en-US': 'Color' }, isHidden: true });
await reorderByPopularity(db);

async function search(keyword: string, query = '') {
  const path = `plugin/list?keyword=${encodeURIComponent(keyword)}${query}`;
  return dataOf(await ask(url, path), contract.listPlugins.data);
}

const golden: [keyword: string, keys: string[]][] = [
  // The exact name, then names that begin so, then names, intros and the rest; the popular first in each.
  ['color', ['palette-one', 'prefix-three', 'prefix-two', 'within-four', 'intro-five', 'text-six']],
  ['COLOR', ['palette-one', 'prefix-three', 'prefix-two', 'within-four', 'intro-five', 'text-six']],
  ['ｃｏｌｏｒ', ['palette-one', 'prefix-three', 'prefix-two', 'within-four', 'intro-five', 'text-six']],
  ['  color  ', ['palette-one', 'prefix-three', 'prefix-two', 'within-four', 'intro-five', 'text-six']],
  ['col', ['prefix-three', 'prefix-two', 'palette-one', 'within-four', 'intro-five', 'text-six']],
  ['color pick', ['prefix-two']],
  ['pick color', ['prefix-two']],
  ['配色', ['palette-one', 'prefix-two', 'within-four']],
  ['色', ['within-four', 'prefix-two', 'palette-one']],
  ['配', ['prefix-two', 'palette-one', 'within-four']],
  ['助手', ['prefix-two']],
  ['カラー', ['palette-one']],
  ['ﾊﾟﾚ', ['palette-one']],
  ['パ', ['palette-one']],
  ['색', ['palette-one']],
  ['색상', ['palette-one']],
  ['палитр', ['palette-one']],
  ['ПАЛИТРА', ['palette-one']],
  ['елка', ['text-six']],
  ['ёлка', ['text-six']],
  ['paleta de diseno', ['palette-one']],
  ['DISEÑO', ['palette-one']],
  ['色彩', ['palette-one']],
  ['colour', ['palette-one']],
  ["it's", ['quoted-seven']],
  [`it's a \\ "name" & more:*`, ['quoted-seven']],
  [`'); drop table plugin; --`, []],
  ['xyzzy', []],
  ['!!!', []],
  ['・。—', []],
];

for (const [keyword, keys] of golden) {
  t.test(`search for ${JSON.stringify(keyword)}`, async (t) => {
    const page = await search(keyword);
    t.strictSame(keysOf(page), keys);
    t.equal(page.total, keys.length);
    t.equal(page.total_estimated, false);
    t.equal(page.next_cursor, null);
  });
}

t.test('a search within a tag', async (t) => {
  t.strictSame(keysOf(await search('color', `&tag_id=${tag}`)), ['palette-one']);
  t.strictSame(keysOf(await search('export', `&tag_id=${tag}`)), []);
});

t.test('pages of a search contain every match exactly once, with one total', async (t) => {
  const all = keysOf(await search('color'));
  for (const limit of [1, 2, 3, 4, 5]) {
    const keys: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await search('color', `&limit=${limit}${cursor && `&cursor=${cursor}`}`);
      t.equal(page.total, all.length);
      keys.push(...keysOf(page));
      cursor = page.next_cursor;
    }
    t.strictSame(keys, all);
  }
});

t.test('a cursor is bound to its keyword, in any spelling', async (t) => {
  const { next_cursor } = await search('color', '&limit=1');
  t.equal(keysOf(await search('ＣＯＬＯＲ', `&limit=1&cursor=${next_cursor}`)).length, 1);
  const answer = await ask(url, `plugin/list?keyword=colour&cursor=${next_cursor}`);
  t.equal(answer.status, 400);
  t.hasStrict(answer.json, { code: 'BAD_CURSOR' });
});
