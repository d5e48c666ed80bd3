import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = globSync('web/{features,layout,pages}/**/*.{ts,tsx}', { cwd: ROOT });

/** A message beside a value or another message: other languages may need another order. */
const PIECES = [
  /<VisuallyHidden>[\s:,]+\{/,
  /<VisuallyHidden>\{t\([^}]*\)\}[\s:,]+<\/VisuallyHidden>/,
  /<VisuallyHidden>\s*\{t\([^}]*\)\} \{/,
  /`\$\{t\([^`]*\)\}[\s:,]+\$\{/,
  /`\$\{[^}]*\}[\s:,]+\$\{t\(/,
  /\{t\('[^}]*'\)\} <(?!Link)/,
  /\{t\('[^}]*'\)\} \{(?!t\()/,
];

function piecesIn(source: string): string[] {
  return PIECES.flatMap((pattern) => pattern.exec(source)?.[0] ?? []);
}

t.test('no sentence is concatenated from parts', async (t) => {
  t.ok(SOURCES.length > 300, 'all files are read');
  const found = SOURCES.flatMap((source) =>
    piecesIn(readFileSync(`${ROOT}${source}`, 'utf8')).map((pieces) => `${source}: ${pieces}`),
  );
  t.strictSame(found, []);
});

t.test('concatenations are found', async (t) => {
  for (const source of [
    '<VisuallyHidden> {plugin.name}</VisuallyHidden>',
    "<VisuallyHidden>{t('unread')}: </VisuallyHidden>",
    "{t('claimed_text')} <Person user={other} />",
    "{t('like')} {plugin.name}",
  ])
    t.equal(piecesIn(source).length > 0, true, source);
  t.strictSame(piecesIn("<VisuallyHidden>{t('installs')}</VisuallyHidden>"), []);
});
