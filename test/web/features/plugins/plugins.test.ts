import { readFileSync } from 'node:fs';
import t from 'tap';
import { accessKindOf } from '../../../../web/features/plugins/detail/access-kind.ts';
import { galleryItems } from '../../../../web/features/plugins/detail/gallery-items.ts';
import { textBlocks } from '../../../../web/features/plugins/detail/text-blocks.ts';
import { excerpt } from '../../../../web/features/plugins/excerpt.ts';
import { nearestTags } from '../../../../web/features/plugins/nearest-tags.ts';
import {
  changedFilter,
  facetsPayload,
  isUnfiltered,
  listPayload,
  NO_CHOICES,
  type PluginFilter,
  pluginFilterOf,
  queryOf,
} from '../../../../web/features/plugins/plugin-filter.ts';
import { changedCatalogue, pluginAt, pluginDetailOf } from '../../support/answers.ts';
import { bootWith } from '../../support/boot.ts';
import { builtWeb } from '../../support/build.ts';

t.test('a before and its after are one item of the gallery', async (t) => {
  const pictureOf = (key: string) => ({ key, width: 16, height: 9, widths: [1] });
  const image = (key: string, is_before?: boolean) =>
    ({ kind: 'image', picture: pictureOf(key), ...(is_before && { is_before }) }) as const;
  const film = { kind: 'video', url: '/film.mp4', mime_type: 'video/mp4' } as const;
  const item = (key: string, before?: string) => ({
    kind: 'image',
    picture: pictureOf(key),
    ...(before !== undefined && { before: pictureOf(before) }),
  });
  t.strictSame(galleryItems([image('a'), image('b', true), film]), [item('a', 'b'), film]);
  t.strictSame(galleryItems([image('a', true), image('b')]), [item('a'), item('b')], 'one without its after');
  t.strictSame(galleryItems([film, image('a', true)]), [film, item('a')]);
  t.strictSame(galleryItems([image('a'), image('b', true), image('c', true)]), [item('a', 'b'), item('c')]);
});

t.test('plugin filter', async (t) => {
  const parse = (query: string) => pluginFilterOf(new URLSearchParams(query));
  const WHOLE = { tag_id: 0, keyword: '' };

  t.test('a URL without a query shows all plugins, latest first', async (t) => {
    t.strictSame(parse(''), WHOLE);
    t.ok(isUnfiltered(parse('')));
  });

  t.test('tag, keyword and order are read from the query', async (t) => {
    t.strictSame(parse('tag_id=3&keyword=%E5%9B%BE%E6%A0%87&sort=1'), {
      tag_id: 3,
      keyword: '图标',
      sort: 1,
    });
    t.notOk(isUnfiltered(parse('tag_id=3')));
    t.notOk(isUnfiltered(parse('keyword=a')));
    t.ok(isUnfiltered(parse('sort=1')), 'the order does not filter');
  });

  t.test('invalid values count as absent', async (t) => {
    for (const query of [
      'tag_id=-1',
      'tag_id=1.5',
      'tag_id=abc',
      'tag_id=',
      'tag_id=99999999999',
      'sort=7',
      'sort=popular',
      'sort=',
      'sort=00',
      'keyword=%20%20',
      'unknown=1',
    ]) {
      t.strictSame(parse(query), WHOLE, query);
    }
  });

  t.test('a keyword is trimmed and cut to 64 characters, never inside one', async (t) => {
    t.equal(parse('keyword=%20chart%20').keyword, 'chart');
    const long = parse(`keyword=${encodeURIComponent('🎨'.repeat(80))}`).keyword;
    t.equal(long, '🎨'.repeat(64));
  });

  t.test('a filter survives its query and back', async (t) => {
    t.equal(queryOf({ tag_id: 0, keyword: '', sort: 0 }), '');
    t.equal(queryOf({ tag_id: 0, keyword: 'a', sort: 0 }), '?keyword=a&sort=0');
    t.equal(queryOf({ tag_id: 0, keyword: 'a' }), '?keyword=a');
    t.strictSame(parse('sort=0'), WHOLE, 'what a list has anyway');
    t.strictSame(parse('keyword=a&sort=7'), { tag_id: 0, keyword: 'a' });
    for (const filter of [
      { tag_id: 2, keyword: 'a&b=c', sort: 1 },
      { tag_id: 0, keyword: 'значки #1', sort: 0 },
    ] as const) {
      t.strictSame(parse(queryOf(filter).slice(1)), filter);
    }
  });

  t.test('an order is kept while the list stays one of its kind', async (t) => {
    const cases: [string, Partial<PluginFilter>, string][] = [
      ['sort=1', { tag_id: 2 }, '?tag_id=2&sort=1'],
      ['sort=1', { keyword: 'a' }, '?keyword=a'],
      ['keyword=a&sort=0', { keyword: 'ab' }, '?keyword=ab&sort=0'],
      ['keyword=a&sort=1', { keyword: '' }, ''],
      ['keyword=a', { sort: 0 }, '?keyword=a&sort=0'],
      ['keyword=a&sort=1', { sort: undefined }, '?keyword=a'],
      ['sort=1', { sort: 0 }, ''],
    ];
    for (const [before, change, after] of cases) {
      t.equal(queryOf(changedFilter(parse(before), change)), after, `${before} ${JSON.stringify(change)}`);
    }
  });

  t.test('an exact search stays exact until another keyword is searched for', async (t) => {
    t.strictSame(parse('keyword=icno&exact=1'), { tag_id: 0, keyword: 'icno', exact: 1 });
    t.strictSame(parse('keyword=icno&exact=2'), { tag_id: 0, keyword: 'icno' });
    t.strictSame(parse('exact=1'), WHOLE, 'without a keyword');
    const exact = parse('keyword=icno&exact=1');
    t.equal(queryOf(changedFilter(parse('keyword=icno'), { exact: 1 })), '?keyword=icno&exact=1');
    t.equal(queryOf(changedFilter(exact, { tag_id: 2 })), '?keyword=icno&tag_id=2&exact=1');
    t.equal(queryOf(changedFilter(exact, { keyword: 'icon' })), '?keyword=icon');
    t.strictSame(listPayload(exact), { tag_id: 0, keyword: 'icno', exact: 1, limit: 24 });
  });

  t.test('filters are read from the query, in one form, and written to it', async (t) => {
    const query =
      'tags=9,3,3&reach=offline&warnings=none&verified=publisher&editor=pixso&text_lang=ja-JP&updated=month';
    const filter = parse(query);
    t.strictSame(filter, {
      ...WHOLE,
      tags: '3,9',
      reach: 'offline',
      warnings: 'none',
      verified: 'publisher',
      editor: 'pixso',
      lang: 'ja-JP',
      updated: 'month',
    });
    t.notOk(isUnfiltered(filter));
    t.strictSame(parse(queryOf(filter).slice(1)), filter);
    t.strictSame(facetsPayload({ ...filter, sort: 1 }), filter);
    t.equal(queryOf(changedFilter(filter, NO_CHOICES)), '');
    t.equal(queryOf(changedFilter(parse('text_lang=ja-JP'), { keyword: 'a' })), '?keyword=a&text_lang=ja-JP');
    t.ok(isUnfiltered(parse('lang=zh-CN')), 'the language of the page is no filter');
    for (const wrong of [
      'tags=0',
      'tags=a,1',
      'reach=all',
      'warnings=1',
      'verified=1',
      'editor=A',
      'lang=fr',
      'updated=day',
    ])
      t.strictSame(parse(wrong), WHOLE, wrong);
    t.equal(parse('tags=1,2,3,4,5,6').tags, '1,2,3,4,5');
  });

  t.test('relevance is the order of a search that its address need not say', async (t) => {
    t.equal(queryOf(parse('keyword=a&sort=2')), '?keyword=a');
    t.equal(queryOf(parse('sort=2')), '');
  });

  t.test('the list call gets an order only if one was chosen', async (t) => {
    t.strictSame(listPayload(parse('keyword=a')), { tag_id: 0, keyword: 'a', limit: 24 });
    t.strictSame(listPayload(parse('')), { tag_id: 0, keyword: '', limit: 24 });
  });

  t.test('the list call gets the filter and the page size', async (t) => {
    t.strictSame(listPayload({ tag_id: 2, keyword: 'x', sort: 1 }), {
      tag_id: 2,
      keyword: 'x',
      sort: 1,
      limit: 24,
    });
  });
});

t.test('the nearest tags of a keyword come first, then the others in their order', async (t) => {
  const tags = ['Icons', 'Colour', 'Text', '图标', '色彩'].map((name, id) => ({ id, code: '', name }));
  const nearest = (keyword: string) => nearestTags(tags, keyword).map(({ name }) => name);
  t.strictSame(nearest('colours'), ['Colour', 'Icons', 'Text', '图标', '色彩']);
  t.strictSame(nearest('Ｔｅｘｔｓ'), ['Text', 'Icons', 'Colour', '图标', '色彩']);
  t.strictSame(nearest('颜色'), ['色彩', 'Icons', 'Colour', 'Text', '图标']);
  t.strictSame(nearest('xyzzy'), ['Icons', 'Colour', 'Text', '图标', '色彩']);
  t.equal(nearestTags([...tags, ...tags], 'a').length, 6);
});

t.test('plugin mark', async (t) => {
  const KEY = pluginAt(6).plugin_key;
  const PICTURE = { key: 'c'.repeat(32), width: 640, height: 400, widths: [320, 640] };

  /** Marks as our own and foreign services send them, and the text shown. */
  const MARKS: readonly [fields: Record<string, unknown>, shown: string | undefined][] = [
    [{ plugin_mark: 'official', mark: { name: 'Ours', lang: 'en-US', color: 'blue' } }, 'Ours'],
    [{ plugin_mark: 'official', mark: null }, undefined],
    [{ plugin_mark: '' }, undefined],
    [{ plugin_mark: undefined }, undefined],
    [{ plugin_mark: null }, undefined],
    [{ plugin_mark: 3 }, undefined],
    [{ plugin_mark: '3' }, undefined],
    [{ plugin_mark: { any: 'thing' } }, undefined],
    [{ plugin_mark: 'Zertifiziert' }, 'Zertifiziert'],
    [{ plugin_mark: `<b>${'x'.repeat(40)}` }, `&lt;b&gt;${'x'.repeat(21)}…`],
    [{ plugin_mark: 'official', mark: { name: 'Ours', color: 'pink', lang: 7 } }, 'Ours'],
    [{ plugin_mark: 'official', mark: { name: 7 } }, undefined],
    [{ plugin_mark: 'official', mark: 'Ours' }, undefined],
    [{ plugin_mark: 'official', mark: [] }, undefined],
  ];

  t.test('cards and pages show the mark in every shape that services send', async (t) => {
    const { entry } = await builtWeb();
    const show = (url: string, change: (data: object) => object) =>
      entry.render(url, bootWith(), changedCatalogue(change));
    const wordsIn = (html: string) =>
      [...html.matchAll(/<span class="[^"]*"(?: lang="[^"]*")? title="[^"]*">([^<]*)<\/span>/g)].map(
        ([, text]) => text,
      );
    for (const [fields, expected] of MARKS) {
      const name = JSON.stringify(fields).slice(0, 60);
      const home = await show('/plugins/', (data) =>
        'plugin_list' in data
          ? { ...data, plugin_list: 'total' in data ? [{ ...pluginAt(6), ...fields }] : [] }
          : data,
      );
      const page = await show(`/plugins/plugin/${KEY}`, (data) =>
        'description' in data ? { ...pluginDetailOf(pluginAt(6)), ...fields } : data,
      );
      for (const { status, html } of [home, page]) {
        t.strictSame([status, wordsIn(html)], [200, expected === undefined ? [] : [expected]], name);
      }
    }
    for (const [panel, shown] of [
      [PICTURE, true],
      [null, false],
      [undefined, false],
      ['https://pictures.example/a.png', false],
      [{ key: 7 }, false],
    ] as const) {
      const { status, html } = await show(`/plugins/plugin/${KEY}`, (data) =>
        'description' in data ? { ...data, panel } : data,
      );
      t.strictSame([status, html.includes('<figcaption')], [200, shown], JSON.stringify(panel));
    }
  });

  t.test('every colour of a mark is legible in light and dark mode', (t) => {
    const css = (path: string) => readFileSync(new URL(`../../../../web/${path}`, import.meta.url), 'utf8');
    const tokens = new Map(
      [...css('ui/tokens.css').matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
        ([, name, light, dark]) => [name, [light ?? '', dark ?? '']],
      ),
    );
    const rules = [
      ...css('features/plugins/plugin-mark.module.css').matchAll(
        /\.(\w+) \{[^}]*background: var\(--([\w-]+)\);\s+color: var\(--([\w-]+)\);/g,
      ),
    ];
    t.strictSame(
      rules.map(([, color]) => color),
      ['mark', 'green', 'blue', 'violet', 'amber', 'red'],
    );
    for (const [, color, ground, text] of rules) {
      for (const theme of [0, 1]) {
        const ratio = contrast(tokens.get(ground)?.[theme] ?? '', tokens.get(text)?.[theme] ?? '');
        t.ok(ratio >= 4.5, `${color} ${theme === 0 ? 'light' : 'dark'}: ${ratio.toFixed(2)}`);
      }
    }
    t.end();
  });

  /** Contrast ratio of two colours (WCAG 2.2). */
  function contrast(one: string, other: string): number {
    const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  function luminance(color: string): number {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
});

t.test('access kind', async (t) => {
  t.test('network access is classified', async (t) => {
    t.equal(accessKindOf([]), 'none');
    t.equal(accessKindOf(['api.example.com']), 'some');
    t.equal(accessKindOf(['*']), 'any');
    t.equal(accessKindOf(['api.example.com', '*']), 'any', 'one "*" allows everything');
  });
});

t.test('excerpt', async (t) => {
  t.test('an intro longer than two lines is cut between words', (t) => {
    const cases = [
      ['Short enough.', 'Short enough.'],
      [
        'Draws charts from a table, keeps them linked, and redraws every frame when a number changes there.',
        'Draws charts from a table, keeps them linked, and redraws every frame when a…',
      ],
      ['a'.repeat(84), `${'a'.repeat(80)}…`],
      [
        'Повторяет ритм макета на любом экране, выравнивает сетку, отступы и подписи',
        'Повторяет ритм макета на любом экране, выравнивает сетку, отступы и…',
      ],
      [
        '两千四百枚同一骨架的线性与面性图标，搜一个词，拖进画布就能用，随时替换，永远对齐，不会变重。',
        '两千四百枚同一骨架的线性与面性图标，搜一个词，拖进画布就能用，随时替换，永远…',
      ],
    ] as const;
    for (const [text, expected] of cases) t.equal(excerpt(text), expected);
    t.end();
  });
});

t.test('text blocks', async (t) => {
  t.test('blank lines separate paragraphs; a single line break does not', async (t) => {
    t.strictSame(textBlocks('One\ntwo\n\n\nThree\r\n\r\nFour'), [
      { kind: 'paragraph', lines: ['One', 'two'] },
      { kind: 'paragraph', lines: ['Three'] },
      { kind: 'paragraph', lines: ['Four'] },
    ]);
  });

  t.test('common list notations are recognised', async (t) => {
    t.strictSame(textBlocks('What it does:\n- fast\n• small\n1. open\n2) run\n3、完成'), [
      { kind: 'paragraph', lines: ['What it does:'] },
      { kind: 'bullets', lines: ['fast', 'small'] },
      { kind: 'numbers', lines: ['open', 'run', '完成'] },
    ]);
  });

  t.test('numbers and signs inside a sentence start no list', async (t) => {
    t.strictSame(
      textBlocks('2400 icons on one grid\n-5 is a number\n1.5 times faster').map(({ kind }) => kind),
      ['paragraph'],
    );
  });

  t.test('markup stays text', async (t) => {
    t.strictSame(textBlocks('<b>bold</b>'), [{ kind: 'paragraph', lines: ['<b>bold</b>'] }]);
  });

  t.test('an empty text has no blocks', async (t) => {
    t.strictSame(textBlocks(''), []);
    t.strictSame(textBlocks(' \n\n '), []);
  });
});
