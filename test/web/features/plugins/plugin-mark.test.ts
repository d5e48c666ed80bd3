import { readFileSync } from 'node:fs';
import t from 'tap';
import { changedCatalogue, pluginAt, pluginDetailOf } from '../../support/answers.ts';
import { bootWith } from '../../support/boot.ts';
import { builtWeb } from '../../support/build.ts';

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
  const { entry } = await builtWeb(t);
  const show = (url: string, change: (data: object) => object) =>
    entry.render(url, bootWith(), changedCatalogue(change));
  const wordsIn = (html: string) =>
    [...html.matchAll(/<span class="[^"]*"(?: lang="[^"]*")? title="[^"]*">([^<]*)<\/span>/g)].map(
      ([, text]) => text,
    );
  for (const [fields, expected] of MARKS) {
    const name = JSON.stringify(fields).slice(0, 60);
    const home = await show('/plugins/', (data) =>
      'plugin_list' in data && 'total' in data
        ? { ...data, plugin_list: [{ ...pluginAt(6), ...fields }] }
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
