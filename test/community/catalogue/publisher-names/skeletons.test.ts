import t from 'tap';
import {
  areAlike,
  nearKeysOf,
  skeletonsOf,
} from '../../../../server/community/catalogue/publisher-names/skeletons.ts';

const SAME: [string, string][] = [
  ['Acme Design', 'acme design'],
  ['Acme Design', 'AcmeDesign'],
  ['Acme Design', 'Acme-Design!'],
  ['Acme Design', 'Ａｃｍｅ　Ｄｅｓｉｇｎ'],
  ['Acme Design', 'Аcme Dеsіgn'],
  ['Acme Design', 'ACМE DESIGN'],
  ['Acme Design', 'Acme\u200d De\u00adsign'],
  ['Acme Design', 'Acrne Design'],
  ['Acme Design', 'Ácmé Design'],
  ['Acme Design', '𝐀𝐜𝐦𝐞 𝓓𝓮𝓼𝓲𝓰𝓷'],
  ['Alpha', 'AIpha'],
  ['Pixel 0', 'Pixe1 O'],
  ['Nikon', 'ΝΙΚΟΝ'],
  ['Vector', 'νector'],
  ['Сова', 'Cовa'],
  ['カナ', '力ナ'],
  ['Square', 'Squarre'],
];
const OTHER: [string, string][] = [
  ['Acme Design', 'Acme'],
  ['Acme Design', 'Acme Studio'],
  ['Grid', 'Brad'],
  ['方格', '方框'],
  ['й', 'ж'],
];

t.test('names that look the same have a skeleton in common', async (t) => {
  const common = ([a, b]: [string, string]) => new Set(skeletonsOf(a)).intersection(new Set(skeletonsOf(b)));
  for (const pair of SAME) t.ok(common(pair).size > 0, pair.join(' and '));
  for (const pair of OTHER) t.equal(common(pair).size, 0, pair.join(' and '));
});

t.test('a name without letters and digits has none', async (t) => {
  for (const name of ['', ' ', '!?', '\u200b', '🙂']) t.strictSame(skeletonsOf(name), [], name);
});

t.test('names that differ by a letter have a key in common, if they are long enough', async (t) => {
  for (const [a, b, near] of [
    ['acme1', 'acmex', true],
    ['figma', 'fgma', false],
    ['figma', 'figmas', true],
    ['adobe', 'adobee', true],
    ['grid', 'brid', false],
    ['acmedesign', 'acmestudio', false],
  ] as const) {
    t.equal(areAlike(a, b), near, `${a} and ${b}`);
    if (near)
      t.ok(
        nearKeysOf(a).some((key) => nearKeysOf(b).includes(key)),
        `${a} and ${b}`,
      );
  }
  t.strictSame(nearKeysOf('grid'), ['grid']);
  const long = 'x1'.repeat(40);
  t.strictSame(nearKeysOf(long), [long], 'a long one is looked up as it is');
});
