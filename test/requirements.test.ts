import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = 'docs/requirements.md';
/** Holds wrong citations on purpose. */
const SELF = 'test/requirements.test.ts';

type Text = { file: string; text: string };

/** Files that may cite requirements. */
const CITING = [
  '{server,shared,web,test,bench,demo,deploy,locales,docs}/**/*.{ts,tsx,js,css,md,json,yaml,conf}',
  '*.{md,yaml}',
  'Dockerfile',
];

const citing = (): Text[] =>
  globSync(CITING, { cwd: ROOT, exclude: ['**/node_modules/**', 'web/dist/**', SELF] }).map((file) => ({
    file,
    text: readFileSync(join(ROOT, file), 'utf8'),
  }));

/** Numbers that the page defines, in its order. */
const definedIn = (page: string): string[] =>
  [...page.matchAll(/^\| R (\d+\.\d+) \|/gm)].map(([, number = '']) => number);

/** Numbers that are not greater than the one before them in their chapter, or not below their chapter's heading. */
function misplaced(page: string): string[] {
  let chapter = 0;
  let last = 0;
  return page.split('\n').flatMap((line) => {
    const heading = /^## (\d+)\. /.exec(line)?.[1];
    if (heading !== undefined) {
      const isNext = Number(heading) === chapter + 1;
      chapter = Number(heading);
      last = 0;
      return isNext ? [] : [line];
    }
    const [, of, number] = /^\| R (\d+)\.(\d+) \|/.exec(line) ?? [];
    if (of === undefined || number === undefined) return [];
    const isInOrder = Number(of) === chapter && Number(number) > last;
    last = Number(number);
    return isInOrder ? [] : [`R ${of}.${number}`];
  });
}

/** Citations ("R 4.3", "R 4.3 to 4.5") of numbers that are not defined. */
function unknownCitations(texts: readonly Text[], defined: readonly string[]): string[] {
  return texts.flatMap(({ file, text }) =>
    [...text.matchAll(/\bR (\d+\.\d+)(?: to (\d+\.\d+))?/g)]
      .flatMap(([, first, last]) => [first, last])
      .filter((number) => number !== undefined && !defined.includes(number))
      .map((number) => `${file}: R ${number}`),
  );
}

/** Citations of documents that are not in the repository; comments may break them over lines. */
function foreignCitations(texts: readonly Text[]): string[] {
  return texts.flatMap(({ file, text }) =>
    [
      ...text.matchAll(
        /\b(?:specification|design)[\s*/#]+sections? ?[\s*/#]*\d|\bthe specification\b|\brequirements? \d/g,
      ),
    ].map(([words]) => `${file}: ${words.replaceAll(/[\s*/#]+/g, ' ')}`),
  );
}

t.test('requirements are numbered in order, once each', async (t) => {
  const page = readFileSync(join(ROOT, PAGE), 'utf8');
  t.ok(definedIn(page).length > 200, 'requirements are found');
  t.strictSame(misplaced(page), []);
  const planted =
    '## 1. A\n| R 1.1 | a |\n| R 1.3 | b |\n| R 1.3 | c |\n| R 1.2 | d |\n## 3. B\n| R 2.1 | e |\n';
  t.strictSame(misplaced(planted), ['R 1.3', 'R 1.2', '## 3. B', 'R 2.1']);
});

t.test('cited requirements exist', async (t) => {
  const defined = definedIn(readFileSync(join(ROOT, PAGE), 'utf8'));
  const texts = citing();
  t.ok(texts.some(({ file, text }) => file === 'shared/constants.ts' && text.includes('R 3.2')));
  t.strictSame(unknownCitations(texts, defined), []);
  const planted = { file: 'a.ts', text: '/** One (R 1.1), R 9.14, R 99.1. */ // R 14.7 to 14.999' };
  t.strictSame(unknownCitations([planted], defined), ['a.ts: R 99.1', 'a.ts: R 14.999']);
});

t.test('nothing cites documents that are not in the repository', async (t) => {
  t.strictSame(foreignCitations(citing()), []);
  const planted = [
    { file: 'a.ts', text: '/** A like (specification section 4). */' },
    { file: 'b.ts', text: ' * The lists (design\n * section 5, and others).' },
    { file: 'c.ts', text: ' * Tags (specification sections 3 and 4), requirement 7.' },
    { file: 'd.ts', text: '/** A call that the specification does not have. */' },
    { file: 'e.ts', text: '/** A Range header (RFC 9110 section 14.1.2), by the OpenAPI Specification. */' },
  ];
  t.strictSame(foreignCitations(planted), [
    'a.ts: specification section 4',
    'b.ts: design section 5',
    'c.ts: specification sections 3',
    'c.ts: requirement 7',
    'd.ts: the specification',
  ]);
});
