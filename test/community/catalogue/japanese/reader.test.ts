import t from 'tap';
import {
  type JapaneseReader,
  openJapaneseReader,
} from '../../../../server/community/catalogue/japanese/reader.ts';
import { until } from '../../../support/until.ts';

const COUNTING = new URL('counting-worker.ts', import.meta.url);

function opened(
  t: { teardown(handler: () => Promise<void>): void },
  options: { module?: URL; idleTime?: number; patience?: number; now?: () => number } = {},
) {
  const lines: string[] = [];
  const say = (...words: unknown[]) => void lines.push(String(words.at(-1)));
  const reader = openJapaneseReader({
    log: { info: say, warn: say },
    now: Date.now,
    patience: 60_000,
    ...options,
  });
  t.teardown(() => reader.close());
  return { reader, lines };
}

const readingOf = async (reader: JapaneseReader, keyword: string) =>
  (await reader.readKeyword(keyword, 'ja-JP')).get(keyword);

t.test('the dictionary', async (t) => {
  const { reader } = opened(t);

  t.test('reads names from each word on, as far as it knows them', async (t) => {
    const names: [name: string, readings: string[]][] = [
      ['文字置換', ['モジチカン', 'チカン']],
      ['図形と続き', ['ズケイトツズキ', 'トツズキ', 'ツズキ']],
      ['アイコン集', ['アイコンシュウ', 'シュウ']],
      ['もじ置換', ['モジチカン', 'チカン']],
      ['SVG図形', ['ズケイ']],
      ['ＱＲコード工房', ['コードコウボウ', 'コウボウ']],
      ['もじちかん', []],
      ['Icons', []],
      ['', []],
    ];
    t.strictSame(
      await reader.readNames(names.map(([name]) => name)),
      names.map(([, readings]) => readings),
    );
  });

  t.test('reads the kanji of Japanese keywords', async (t) => {
    const read = async (keyword: string) => [...(await reader.readKeyword(keyword, 'ja-JP'))];
    t.strictSame(await read('文字置換 SVG 図形'), [
      ['文字置換', 'モジチカン'],
      ['図形', 'ズケイ'],
    ]);
    t.strictSame(await read('置き換え'), [['置キ換エ', 'オキカエ']], 'by the folded keyword');
    t.strictSame(await read('もじ icons 図'), [], 'one sound begins too many names');
  });
});

t.test('a thread is started by the first keyword in kanji of a Japanese reader', async (t) => {
  const { reader, lines } = opened(t, { module: COUNTING });
  for (const language of ['zh-CN', 'en-US', 'ko-KR', 'ru-RU', 'es-ES'] as const)
    t.equal((await reader.readKeyword('失敗', language)).size, 0);
  t.equal((await reader.readKeyword('もじ text', 'ja-JP')).size, 0);
  t.strictSame(lines, []);
  t.equal((await reader.readKeyword('失敗', 'ja-JP')).size, 0);
  t.strictSame(lines, ['Japanese keywords cannot be read']);
});

t.test('the thread stays while it is used, and keywords are read once', async (t) => {
  const { reader } = opened(t, { module: COUNTING });
  t.equal(await readingOf(reader, '文字'), 'アア');
  t.equal(await readingOf(reader, '置換'), 'アアア');
  t.equal(await readingOf(reader, '文字'), 'アア');
});

t.test('an idle thread ends, and another starts when it is needed', async (t) => {
  const { reader } = opened(t, { module: COUNTING, idleTime: 1 });
  t.equal(await readingOf(reader, '文字'), 'アア');
  let place = 0x4e00;
  await until(async () => {
    place += 1;
    return (await readingOf(reader, String.fromCharCode(place))) === 'アア';
  });
});

t.test('a search does not wait for a slow dictionary, and later ones know', async (t) => {
  const { reader, lines } = opened(t, { module: COUNTING, patience: 0 });
  t.equal(await readingOf(reader, '文字'), undefined);
  await until(async () => (await readingOf(reader, '文字')) !== undefined);
  t.strictSame(lines, []);
});

for (const [title, keyword] of [
  ['an error', '失敗'],
  ['the end of the thread', '終了'],
] as const) {
  t.test(`${title} loses readings only, is logged once, and is over after a minute`, async (t) => {
    let at = 0;
    const { reader, lines } = opened(t, { module: COUNTING, now: () => at });
    t.equal(await readingOf(reader, keyword), undefined);
    t.equal(await readingOf(reader, '文字'), undefined, 'not asked again at once');
    at += 60_000;
    t.equal(await readingOf(reader, keyword), undefined);
    at += 60_000;
    t.match(await readingOf(reader, '文字'), /^ア+$/);
    t.strictSame(lines, ['Japanese keywords cannot be read', 'Japanese keywords are read again']);
    await t.rejects(reader.readNames([keyword]));
    t.strictSame((await reader.readNames(['文字'])).length, 1);
  });
}
