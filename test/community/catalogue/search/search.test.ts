import t from 'tap';
import { fillDatabase } from '../../../../bench/data/fill.ts';
import { commonWords } from '../../../../bench/data/texts.ts';
import {
  createKnownWords,
  search as findPlugins,
} from '../../../../server/community/catalogue/plugins/list.ts';
import {
  foldName,
  lexemesOfText,
  termsOfKeyword,
} from '../../../../server/community/catalogue/search/lexemes.ts';
import { queryOfKeyword } from '../../../../server/community/catalogue/search/query.ts';
import { findMatches } from '../../../../server/community/catalogue/search/ranked-store.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../../server/community/migrations.ts';
import { decodeCursor, encodeCursor, SearchPlace } from '../../../../server/community/pages.ts';
import type { CommunityTables } from '../../../../server/community/schema.ts';
import { openKysely, openPool } from '../../../../server/database/pool.ts';
import { contract } from '../../../../shared/contract.ts';
import type { PluginPage } from '../../../../shared/entities/plugin.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { testDatabase } from '../../../support/database.ts';
import { silentLog } from '../../../support/log.ts';
import { addPlugin, addTag } from '../../add-plugin.ts';
import { ask, dataOf, keysOf } from '../../ask.ts';

t.test('search', async (t) => {
  const { db, url } = await testCommunity(t);
  const tag = await addTag(db, 'colour', { 'en-US': 'Colour', 'zh-CN': '色彩' });
  await addPlugin(db, {
    key: 'palette-one',
    updatedAt: new Date('2025-03-05'),
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
  await addPlugin(db, {
    key: 'prefix-two',
    updatedAt: new Date('2025-03-01'),
    name: { 'en-US': 'Color Picker', 'zh-CN': '配色助手' },
    likes: 5,
  });
  await addPlugin(db, {
    key: 'prefix-three',
    updatedAt: new Date('2025-03-04'),
    name: { 'en-US': 'Colorful grids' },
    likes: 9,
  });
  await addPlugin(db, {
    key: 'within-four',
    updatedAt: new Date('2025-03-09'),
    name: { 'en-US': 'My color notes', 'zh-CN': '自动配色' },
    likes: 50,
  });
  await addPlugin(db, {
    key: 'intro-five',
    updatedAt: new Date('2025-03-02'),
    name: { 'en-US': 'Swatches' },
    intro: { 'en-US': 'Any color' },
    likes: 60,
  });
  await addPlugin(db, {
    key: 'text-six',
    updatedAt: new Date('2025-03-07'),
    name: { 'en-US': 'Export', 'ru-RU': 'Экспорт' },
    description: { 'en-US': 'Keeps each color', 'ru-RU': 'Ёлка и цвета' },
    likes: 99,
  });
  await addPlugin(db, { key: 'quoted-seven', name: { 'en-US': `It's a \\ "name" & more:*` } });
  await addPlugin(db, { key: 'hidden-eight', name: { 'en-US': 'Color' }, isHidden: true });
  await flushAll(db);

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

  const sorted: [query: string, keys: string[]][] = [
    [
      'keyword=color&sort=0',
      ['within-four', 'text-six', 'palette-one', 'prefix-three', 'intro-five', 'prefix-two'],
    ],
    [
      'keyword=color&sort=1',
      ['text-six', 'intro-five', 'within-four', 'prefix-three', 'prefix-two', 'palette-one'],
    ],
    ['keyword=%E8%89%B2&sort=0', ['within-four', 'palette-one', 'prefix-two']],
    ['keyword=%E8%89%B2&sort=1', ['within-four', 'prefix-two', 'palette-one']],
    // Similar words.
    ['keyword=swatchse&sort=0', ['intro-five']],
    [
      'keyword=colro&sort=0',
      ['within-four', 'text-six', 'palette-one', 'prefix-three', 'intro-five', 'prefix-two'],
    ],
    [
      'keyword=colro&sort=1',
      ['text-six', 'intro-five', 'within-four', 'prefix-three', 'prefix-two', 'palette-one'],
    ],
    [`keyword=color&sort=0&tag_id=${tag}`, ['palette-one']],
  ];

  for (const [query, keys] of sorted) {
    t.test(`${query} sorts all matches, whatever their relevance, on pages of any size`, async (t) => {
      for (const limit of [1, 2, 4, 100]) {
        const read: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const page: PluginPage = dataOf(
            await ask(url, `plugin/list?${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`),
            contract.listPlugins.data,
          );
          t.equal(page.total, keys.length);
          read.push(...keysOf(page));
          cursor = page.next_cursor;
        }
        t.strictSame(read, keys);
      }
    });
  }

  t.test('a cursor is bound to the order of its search', async (t) => {
    for (const [given, other] of [
      ['', '&sort=0'],
      ['&sort=0', '&sort=1'],
      ['&sort=1', ''],
      ['&sort=2', '&sort=1'],
      ['', '&lang=en-US'],
    ] as const) {
      const { next_cursor } = await search('color', `&limit=1${given}`);
      const answer = await ask(url, `plugin/list?keyword=color&cursor=${next_cursor}${other}`);
      t.equal(answer.status, 400);
      t.hasStrict(answer.json, { code: 'BAD_CURSOR' });
    }
  });

  t.test('relevance is the order of searches, and can be asked for', async (t) => {
    const { next_cursor, ...page } = await search('color', '&limit=2&sort=2');
    t.strictSame({ next_cursor, ...page }, await search('color', '&limit=2'));
    t.equal(keysOf(await search('color', `&limit=2&cursor=${next_cursor}`)).length, 2);
    t.strictSame(keysOf(await search('', '&sort=2')), keysOf(await search('', '&sort=0')));
  });

  t.test('without a keyword, no order is the latest update', async (t) => {
    const { next_cursor } = await search('', '&limit=1');
    const page = await search(' ', `&limit=2&sort=0&cursor=${next_cursor}`);
    t.equal(page.plugin_list.length, 2);
    t.strictSame(keysOf(await search('')), keysOf(await search('', '&sort=0')));
  });

  t.test('a cursor is bound to its keyword, in any spelling', async (t) => {
    const { next_cursor } = await search('color', '&limit=1');
    t.equal(keysOf(await search('ＣＯＬＯＲ', `&limit=1&cursor=${next_cursor}`)).length, 1);
    const answer = await ask(url, `plugin/list?keyword=colour&cursor=${next_cursor}`);
    t.equal(answer.status, 400);
    t.hasStrict(answer.json, { code: 'BAD_CURSOR' });
  });
});

t.test('rows of the index', async (t) => {
  const { db } = await testCommunity(t);
  const tag = await addTag(db, 'tag');
  await addPlugin(db, { key: 'grid-one', name: { 'en-US': 'Grid one' }, tags: [tag] });
  await addPlugin(db, { key: 'grid-two', name: { 'en-US': 'Grid two' }, tags: [tag] });
  await addPlugin(db, { key: 'of-grids', name: { 'en-US': 'Of grids' }, tags: [tag], isHidden: true });

  /** Expected matches for each way of reading: all in one statement, counted by the index, and not counted. */
  const EXPECTED = { few: 0, counted: 5000, many: 20_000 };

  async function found(
    expected: number,
    tagId: number,
    { limit = 10, isSure = true } = {},
  ): Promise<{ rows: number; total: number }> {
    const query = queryOfKeyword('grid', tagId);
    if (!query) throw new Error('no query');
    const { rows, total } = await findMatches(
      db,
      { tagId, query, after: undefined, limit, total: undefined },
      { name: 0, headline: 0, full: expected, listed: 20_000, isSure },
    );
    return { rows: rows.length, total };
  }

  async function setHidden(isHidden: boolean): Promise<void> {
    await db
      .updateTable('plugin')
      .set({ is_hidden: isHidden })
      .where('plugin_key', '=', 'of-grids')
      .execute();
  }

  for (const tagId of [0, tag]) {
    t.test(
      `the total of a search in tag ${tagId} fits its matches, whichever way they are read`,
      async (t) => {
        t.strictSame(
          await found(EXPECTED.few, tagId),
          { rows: 2, total: 2 },
          'a plugin that was always hidden',
        );
        t.strictSame(await found(EXPECTED.counted, tagId), { rows: 2, total: 2 });
        t.strictSame(
          await found(EXPECTED.many, tagId),
          { rows: 2, total: 2 },
          'the page shows that these are all',
        );
        t.strictSame(await found(EXPECTED.many, tagId, { limit: 1 }), { rows: 1, total: 10_001 });
        t.strictSame(
          await found(EXPECTED.many, tagId, { limit: 1, isSure: false }),
          { rows: 1, total: 2 },
          'nobody knows whether there are so many',
        );
        await setHidden(false);
        t.strictSame(await found(EXPECTED.few, tagId), { rows: 3, total: 3 });
        t.strictSame(await found(EXPECTED.counted, tagId), { rows: 3, total: 3 });
        await setHidden(true);
        t.strictSame(await found(EXPECTED.few, tagId), { rows: 2, total: 2 });
        t.strictSame(await found(EXPECTED.counted, tagId), { rows: 2, total: 2 });
      },
    );
  }
});

t.test('corrected words', async (t) => {
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

  t.test('says what was searched for instead, unless the keyword itself was asked for', async (t) => {
    for (const [keyword, corrected] of [
      ['contarst', 'contrast'],
      ['Compasd Contrast', 'compass contrast'],
      ['对比渡罗盘', ''],
      ['.contrast', 'contrast'],
      ['contrast', undefined],
      ['xyzzy', undefined],
    ] as const) {
      t.equal((await search(keyword)).corrected, corrected, keyword);
    }
    const exact = await search('contarst', '&exact=1');
    t.strictSame([exact.total, exact.corrected], [0, undefined]);
    t.strictSame((await search('contrast', '&exact=1')).total, 5);
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
});

t.test('readings and punctuation', async (t) => {
  const { db, url } = await testCommunity(t);
  await addPlugin(db, { key: 'icons-zh', name: { 'zh-CN': '批量图标导出' } });
  await addPlugin(db, { key: 'green-zh', name: { 'zh-CN': '绿色' } });
  await addPlugin(db, { key: 'moji-kana', name: { 'ja-JP': 'もじスケール' } });
  await addPlugin(db, { key: 'kanji-only', name: { 'ja-JP': '図表' } });
  await addPlugin(db, { key: 'code-plus', name: { 'en-US': 'C++ snippets' } });
  await addPlugin(db, { key: 'code-sharp', name: { 'en-US': 'C# snippets' } });
  await addPlugin(db, { key: 'code-joined', name: { 'en-US': 'C#Tools' } });
  await addPlugin(db, { key: 'code-plain', name: { 'en-US': 'C snippets' } });
  await addPlugin(db, { key: 'dot-svgs', name: { 'en-US': 'Export as .svg' } });
  await addPlugin(db, { key: 'plain-svg', name: { 'en-US': 'SVG diet' } });
  for (const [keyword, ...keys] of [
    ['tubiao', 'icons-zh'],
    ['tubi', 'icons-zh'],
    ['TuBiaoDao', 'icons-zh'],
    ['tu biao', 'icons-zh'],
    ['lvse', 'green-zh'],
    ['ubiao'],
    ['モジ', 'moji-kana'],
    ['すけーる', 'moji-kana'],
    ['tubiaozz'],
    ['c++', 'code-plus'],
    ['C＃', 'code-joined', 'code-sharp'],
    ['c', 'code-joined', 'code-plain', 'code-plus', 'code-sharp'],
    ['.svg', 'dot-svgs'],
    ['svg', 'dot-svgs', 'plain-svg'],
    ['f#'],
  ]) {
    t.test(`${keyword} finds ${keys.join(', ') || 'nothing'}`, async (t) => {
      const path = `plugin/list?keyword=${encodeURIComponent(keyword ?? '')}`;
      const page = dataOf(await ask(url, path), contract.listPlugins.data);
      t.strictSame(keysOf(page).toSorted(), keys);
    });
  }
});

t.test('known words', async (t) => {
  const { url } = await testDatabase<CommunityTables>(t, {
    schema: COMMUNITY_SCHEMA,
    migrations: communityMigrations,
    name: 'known_words',
  });
  await fillDatabase(url, { count: 12_000, waiting: 12 });
  const pool = openPool(url, { applicationName: 'test', schema: COMMUNITY_SCHEMA, log: silentLog });
  t.teardown(() => pool.end());
  const db = openKysely<CommunityTables>(pool);
  const clock = { now: 1_800_000_000_000 };
  const perf = { now: () => clock.now };
  const known = createKnownWords({ perf });

  const find = (keyword: string, cursor?: string, others = known) =>
    findPlugins(
      { db, known: others, missed: { note: () => undefined }, now: () => clock.now },
      { tag_id: 0, keyword, limit: 24, ...(cursor !== undefined && { cursor }) },
      { keyword, filters: [] },
    );
  const fresh = (keyword: string) => find(keyword, undefined, createKnownWords({ perf }));
  const hide = (ids: readonly number[]) =>
    pool.query('update plugin set is_hidden = true where id = any ($1)', [ids]);

  const totals = new Map<string, number>();
  for (const word of commonWords('en-US')) totals.set(word, (await fresh(word)).total);
  const often = [...totals].flatMap(([word, total]) => (total >= 1000 && total < 10_000 ? [word] : []));
  const [word = '', other = ''] = often;
  const [name = ''] = (
    await pool.query("select name from plugin_text where lang = 'en-US' limit 1")
  ).rows.map((row) => String(row.name).toLowerCase());

  t.test('a large total is cached for a minute, the page is read each time', async (t) => {
    const before = await find(word);
    t.ok(before.total >= 1000 && !before.total_estimated, `${word} ${before.total}`);
    const hidden = before.pluginIds.slice(0, 3);
    await hide(hidden);
    const soon = await find(word);
    t.equal(soon.total, before.total);
    t.notOk(soon.pluginIds.some((id) => hidden.includes(id)));
    t.equal((await fresh(word)).total, before.total - hidden.length);
    clock.now += 59_999;
    t.equal((await find(word)).total, before.total);
    clock.now += 2;
    t.equal((await find(word)).total, before.total - hidden.length);
  });

  t.test('setting the clock back does not extend the cache', async (t) => {
    const before = await find(word);
    await hide(before.pluginIds.slice(0, 1));
    const setBack = Date.now() - 3_600_000;
    t.intercept(Date, 'now', { value: () => setBack });
    clock.now += 60_001;
    t.equal((await find(word)).total, before.total - 1);
  });

  t.test('a small total is not cached', async (t) => {
    const before = await find(name);
    t.ok(before.total > 0 && before.total < 1000, `${name} ${before.total}`);
    await hide(before.pluginIds.slice(0, 1));
    t.equal((await find(name)).total, before.total - 1);
  });

  t.test('the total in a cursor is not cached for others', async (t) => {
    const { next_cursor: cursor, total } = await fresh(other);
    const list = ['search', 0, '', other];
    const [rank, sortKey, id, counted, isSimilar] = decodeCursor(cursor ?? '', list, SearchPlace);
    t.equal(counted, total);
    const forged = encodeCursor([rank, sortKey, id, 2000, isSimilar], list);
    t.equal((await find(other, forged)).total, 2000);
    t.equal((await find(other)).total, total);
  });
});

t.test('lexemes', async (t) => {
  const texts: [text: string, lexemes: string[]][] = [
    ['Color Picker', ['color', 'picker']],
    ['ＣＯＬＯＲ', ['color']],
    ['配色', ['配', '色', '配色']],
    ['配色表', ['配', '色', '表', '配色', '色表']],
    ['ﾀｲﾎﾟ', ['タ', 'イ', 'ポ', 'タイ', 'イポ']],
    ['がくゞ', ['ガ', 'ク', 'ヾ', 'ガク', 'クヾ']],
    ['한국어', ['한', '국', '어', '한국', '국어']],
    ['UI设计', ['ui', '设', '计', '设计']],
    ['Ёлка', ['елка']],
    ['йод', ['йод']],
    ['Ñandú São', ['nandu', 'sao']],
    ['e-mail, C++', ['e', 'mail', 'c', 'c++']],
    ['C# 和 F#。＋', ['c', 'c#', '和', 'f', 'f#']],
    ['Into .SVG, v2.svg', ['into', 'svg', '.svg', 'v2']],
    ['a+b #tag x+++', ['a', 'b', 'tag', 'x']],
    ['3D 2.0', ['3d', '2', '0']],
    ['!?… —', []],
    ['', []],
  ];

  for (const [text, lexemes] of texts) {
    t.test(`lexemes of "${text}"`, async (t) => {
      t.strictSame([...lexemesOfText(text)], lexemes);
    });
  }

  t.test('a keyword matches words by prefix, unspaced scripts by pairs', async (t) => {
    t.strictSame(termsOfKeyword('col 配色表 色'), [
      { lexeme: 'col', isPrefix: true },
      { lexeme: '配色', isPrefix: false },
      { lexeme: '色表', isPrefix: false },
      { lexeme: '色', isPrefix: false },
    ]);
  });

  t.test('a repeated word is one term', async (t) => {
    t.equal(termsOfKeyword('icon icon ICON').length, 1);
  });

  t.test('every beginning of a word of a text matches that text', async (t) => {
    for (const text of ['UI设计 Color配色パレット 한국어 Ёлка 2x']) {
      const own = [...lexemesOfText(text)];
      for (const word of text.split(' ')) {
        const characters = [...word];
        for (let end = 1; end <= characters.length; end += 1) {
          const keyword = characters.slice(0, end).join('');
          for (const { lexeme, isPrefix } of termsOfKeyword(keyword)) {
            t.ok(
              own.some((found) => (isPrefix ? found.startsWith(lexeme) : found === lexeme)),
              `${keyword}: ${lexeme}`,
            );
          }
        }
      }
    }
  });

  t.test('names are compared without regard to case, width and spaces', async (t) => {
    t.equal(foldName('  Ｃｏｌｏｒ\tPícker '), 'color picker');
  });
});
