import t from 'tap';
import { openJapaneseReader } from '../../../../server/community/catalogue/japanese/reader.ts';
import { readNextNames } from '../../../../server/community/catalogue/japanese/reading.ts';
import { takeUnread } from '../../../../server/community/catalogue/japanese/store.ts';
import { indexPlugins } from '../../../../server/community/catalogue/search/index-store.ts';
import { contract } from '../../../../shared/contract.ts';
import type { PluginPage } from '../../../../shared/entities/plugin.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { silentLog } from '../../../support/log.ts';
import { addPlugin } from '../../add-plugin.ts';
import { ask, dataOf, keysOf } from '../../ask.ts';

const japanese = openJapaneseReader({ log: silentLog, now: Date.now, patience: 60_000 });
const { db, pool, url } = await testCommunity(t, { japanese });
const kanji = await addPlugin(db, { key: 'in-kanji', name: { 'ja-JP': '文字置換' }, likes: 1 });
await addPlugin(db, { key: 'in-hiragana', name: { 'ja-JP': 'もじちかん' }, likes: 9 });
await addPlugin(db, { key: 'in-both-kinds', name: { 'ja-JP': 'やわらかな影' } });
await addPlugin(db, { key: 'sounds-alike', name: { 'ja-JP': '校正メモ' } });
await addPlugin(db, { key: 'alike-too', name: { 'ja-JP': '構成図' } });
await addPlugin(db, {
  key: 'says-kana',
  name: { 'ja-JP': 'Kana' },
  description: { 'ja-JP': 'もじ' },
  likes: 99,
});
await addPlugin(db, { key: 'in-chinese', name: { 'zh-CN': '文字' } });

/** Later than any lease so far. */
const LATER = Date.now() + 3_600_000;
const headers = { 'accept-language': 'ja-JP' };
const search = async (keyword: string, query = '', language = 'ja-JP'): Promise<PluginPage> => {
  const path = `plugin/list?keyword=${encodeURIComponent(keyword)}${query}`;
  return dataOf(
    await ask(url, path, { headers: { 'accept-language': language } }),
    contract.listPlugins.data,
  );
};
const suggested = async (keyword: string, language = 'ja-JP') => {
  const path = `plugin/suggestion/list?keyword=${encodeURIComponent(keyword)}&language=${language}`;
  const { plugin_list } = dataOf(await ask(url, path), contract.suggestPlugins.data);
  return plugin_list.map(({ plugin_key }) => plugin_key);
};
const readAll = async () => {
  while ((await readNextNames({ db, japanese, now: Date.now })) > 0);
  await flushAll(db);
};

t.test('names are indexed before anybody has read them', async (t) => {
  t.strictSame(keysOf(await search('置換')), ['in-kanji', 'in-hiragana']);
  t.strictSame(keysOf(await search('もじちかん')), ['in-hiragana']);
  await readAll();
  t.equal(await readNextNames({ db, japanese, now: Date.now }), 0, 'each name is read once');
});

const found: [keyword: string, keys: string[]][] = [
  ['もじ', ['in-hiragana', 'in-kanji', 'says-kana']],
  ['モジ', ['in-hiragana', 'in-kanji', 'says-kana']],
  ['もじちかん', ['in-hiragana', 'in-kanji']],
  ['ちかん', ['in-hiragana', 'in-kanji']],
  ['ﾓｼﾞﾁｶﾝ', ['in-hiragana', 'in-kanji']],
  ['もじ ちかん', ['in-hiragana', 'in-kanji']],
  ['かげ', ['in-both-kinds']],
  ['じちかん', ['in-hiragana']],
  ['こうせい', ['sounds-alike', 'alike-too']],
  ['文字置換', ['in-kanji', 'in-hiragana']],
  ['文字', ['in-chinese', 'in-kanji', 'in-hiragana']],
  ['置換', ['in-kanji', 'in-hiragana']],
  ['柔らかな影', ['in-both-kinds']],
  // Kanji that sound alike are other words.
  ['校正', ['sounds-alike']],
];

for (const [keyword, keys] of found) {
  t.test(`${keyword} finds ${keys.join(', ')}`, async (t) => {
    const page = await search(keyword);
    t.strictSame([keysOf(page).toSorted(), page.total], [keys.toSorted(), keys.length]);
    const paged: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const next = await search(keyword, `&limit=1${cursor && `&cursor=${cursor}`}`);
      t.equal(next.total, keys.length);
      paged.push(...keysOf(next));
      cursor = next.next_cursor;
    }
    t.strictSame(paged, keysOf(page));
  });
}

t.test('readings count less than what is written', async (t) => {
  t.strictSame(keysOf(await search('もじ')), ['in-hiragana', 'in-kanji', 'says-kana']);
  t.strictSame(keysOf(await search('文字置換')), ['in-kanji', 'in-hiragana']);
});

t.test('suggestions', async (t) => {
  t.strictSame(await suggested('もじ'), ['in-hiragana', 'in-kanji']);
  t.strictSame(await suggested('文字置換'), ['in-kanji', 'in-hiragana']);
  t.strictSame(await suggested('文字置換', 'zh-CN'), ['in-kanji']);
});

t.test('kanji are read for Japanese readers only', async (t) => {
  for (const language of ['zh-CN', 'en-US'])
    t.strictSame(keysOf(await search('文字置換', '', language)), ['in-kanji'], language);
  t.strictSame(keysOf(await search('もじちかん', '', 'zh-CN')), ['in-hiragana', 'in-kanji']);
});

t.test('counts of filters, and corrections', async (t) => {
  const facets = dataOf(
    await ask(url, `plugin/list/facet?keyword=${encodeURIComponent('文字置換')}`, { headers }),
    contract.listFacets.data,
  );
  t.equal(facets.facet_list[0]?.without, 2);
  await addPlugin(db, { key: 'contrast-one', name: { 'ja-JP': 'もじ', 'en-US': 'Contrast' } });
  const { corrected, plugin_list } = await search('文字 contarst');
  t.equal(corrected, '文字 contrast');
  t.strictSame(keysOf({ plugin_list }), ['contrast-one']);
  t.equal((await search('文字置換')).corrected, undefined);
});

t.test('a name that has changed is read again, and one without kanji is not kept', async (t) => {
  const rename = async (name: string) => {
    await pool.query("update plugin_text set name = $2 where plugin_id = $1 and lang = 'ja-JP'", [
      kanji,
      name,
    ]);
    await db.transaction().execute((trx) => indexPlugins(trx, [kanji]));
  };
  const kept = async () =>
    (await pool.query('select name, readings from japanese_name where plugin_id = $1', [kanji])).rows;
  await rename('図形');
  t.strictSame(keysOf(await search('ちかん')), ['in-hiragana']);
  t.strictSame({ ...(await kept())[0] }, { name: '図形', readings: null });
  await readAll();
  t.strictSame(keysOf(await search('ずけい')), ['in-kanji']);
  await rename('ずけい');
  t.strictSame(await kept(), []);
  t.strictSame(keysOf(await search('図形')), ['in-kanji']);
});

t.test('a name that changes while it is read keeps no reading of the former one', async (t) => {
  const id = await addPlugin(db, { key: 'changes-name', name: { 'ja-JP': '余白' } });
  const slow = {
    readNames: async (names: readonly string[]) => {
      await pool.query("update japanese_name set name = '下書き' where plugin_id = $1", [id]);
      return japanese.readNames(names);
    },
  };
  t.equal(await readNextNames({ db, japanese: slow, now: Date.now }), 1);
  const { rows } = await pool.query('select readings from japanese_name where plugin_id = $1', [id]);
  t.strictSame(
    rows.map(({ readings }) => readings),
    [null],
  );
});

t.test('names that could not be read are read at the next look', async (t) => {
  const failing = { readNames: () => Promise.reject(new Error('no dictionary')) };
  await t.rejects(readNextNames({ db, japanese: failing, now: () => LATER }), { message: 'no dictionary' });
  t.equal(await readNextNames({ db, japanese, now: () => LATER }), 1);
});

t.test('names of an instance that has stopped are left to others after ten minutes', async (t) => {
  await flushAll(db);
  await readAll();
  await addPlugin(db, { key: 'left-alone', name: { 'ja-JP': '余白' } });
  const lease = new Date(LATER + 600_000);
  t.equal((await takeUnread(db, { at: new Date(LATER), lease, limit: 9 })).length, 1);
  t.equal(await readNextNames({ db, japanese, now: () => LATER + 599_999 }), 0);
  t.equal(await readNextNames({ db, japanese, now: () => LATER + 600_000 }), 1);
});
