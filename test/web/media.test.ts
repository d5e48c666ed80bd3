import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const WEB = fileURLToPath(new URL('../../web', import.meta.url));
const DEFINED_IN = 'ui/media.css';

const defined = new Map(
  [...read(DEFINED_IN).matchAll(/@custom-media (--[\w-]+) \(width <=? (\d+px)\);/g)].map(
    ([, name = '', width = '']) => [name, width],
  ),
);

function read(file: string): string {
  return readFileSync(join(WEB, file), 'utf8');
}

/** Media queries of styles that name a width themselves, or a custom media that is not defined or not imported. */
function ownWidthsInStyles(text: string): string[] {
  const isImported = /^@import "[./]*(?:ui\/)?media\.css";$/m.test(text);
  return [...text.matchAll(/@media ([^{]*)\{/g)].flatMap(([, query = '']) => {
    const names = query.match(/--[\w-]+/g) ?? [];
    const isKnown = names.every((name) => isImported && defined.has(name));
    return /\bwidth\b/.test(query) || !isKnown ? [query.trim()] : [];
  });
}

/** Media queries of scripts with another width. `sizes` of pictures tell how wide they are, and may have any. */
function ownWidthsInScripts(text: string): string[] {
  const widths = [...defined.values()];
  return [...text.matchAll(/'(\((?:(?:min|max)-)?width[^']*\))'/g)].flatMap(([, query = '']) =>
    widths.some((width) => [`(width >= ${width})`, `(width < ${width})`].includes(query)) ? [] : [query],
  );
}

t.test('layouts change at four widths', async (t) => {
  t.equal(defined.size, 4);
  const styles = globSync('**/*.css', { cwd: WEB, exclude: ['dist/**', 'node_modules/**'] });
  const scripts = globSync('**/*.{ts,tsx}', { cwd: WEB, exclude: ['dist/**', 'node_modules/**'] });
  t.ok(styles.includes(DEFINED_IN) && scripts.length > 100, 'the files were read');
  const found = [
    ...styles.flatMap((file) => ownWidthsInStyles(read(file)).map((query) => `${file}: ${query}`)),
    ...scripts.flatMap((file) => ownWidthsInScripts(read(file)).map((query) => `${file}: ${query}`)),
  ];
  t.strictSame(found, []);
});

t.test('each name of keyframes is used once', async (t) => {
  const styles = globSync('**/*.css', { cwd: WEB, exclude: ['dist/**', 'node_modules/**'] });
  const names = styles.flatMap((file) => read(file).match(/(?<=@keyframes )[\w-]+/g) ?? []);
  t.ok(names.length > 5);
  t.strictSame(
    names.filter((name, place) => names.indexOf(name) !== place),
    [],
    'they are not scoped to a module',
  );
});

/** Set on its popups by Base UI. */
const SET_BY_LIBRARY = ['--anchor-width', '--available-height', '--transform-origin'];

t.test('every custom property that styles read has a value', async (t) => {
  const texts = globSync('**/*.{css,ts,tsx}', { cwd: WEB, exclude: ['dist/**', 'node_modules/**'] }).map(
    read,
  );
  const set = new Set([
    ...SET_BY_LIBRARY,
    ...texts.flatMap((text) => [...text.matchAll(/(--[\w-]+)['"]?\]?\s*:/g)].map(([, name]) => name)),
  ]);
  const names = texts.flatMap((text) => [...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
  t.ok(names.length > 500);
  t.strictSame(
    names.filter((name) => !set.has(name)),
    [],
  );
});

t.test('planted widths are found', async (t) => {
  const imported = '@import "../ui/media.css";\n';
  t.strictSame(ownWidthsInStyles(`${imported}@media not (--phone) {}`), []);
  t.strictSame(ownWidthsInStyles('@media (--phone) {}'), ['(--phone)'], 'not imported');
  t.strictSame(ownWidthsInStyles(`${imported}@media (--watch) {}`), ['(--watch)'], 'not defined');
  t.strictSame(ownWidthsInStyles(`${imported}@media (--phone) and (max-width: 500px) {}`), [
    '(--phone) and (max-width: 500px)',
  ]);
  t.strictSame(ownWidthsInScripts("const WIDE = '(width >= 900px)';"), []);
  t.strictSame(ownWidthsInScripts("matchMedia('(min-width: 901px)')"), ['(min-width: 901px)']);
});
