import { readFileSync } from 'node:fs';
import t from 'tap';
import type { Finding } from '../../../shared/entities/finding.ts';
import { LANGUAGES } from '../../../shared/languages.ts';
import { FINDING_CODES, finding } from '../../../shared/package/finding-codes.ts';
import {
  findingGroups,
  findingLine,
  findingOfDetail,
  placeholdersOf,
  sourcePosition,
} from '../../../web/features/findings/findings.ts';

/** Texts of the list itself, which are no finding codes. */
const LIST = 'list';

function textsOf(language: string): Record<string, unknown> {
  const file = new URL(`../../../locales/${language}.json`, import.meta.url);
  const { finding: texts } = JSON.parse(readFileSync(file, 'utf8'));
  return texts;
}

t.test('every finding code has a text, and every text a code', async (t) => {
  const codes = Object.keys(FINDING_CODES).sort();
  for (const language of LANGUAGES) {
    const keys = Object.keys(textsOf(language)).filter((key) => key !== LIST);
    t.strictSame(keys.sort(), codes, language);
  }
});

t.test('a text only uses values that its code provides', async (t) => {
  for (const language of LANGUAGES) {
    const texts = textsOf(language);
    for (const [code, { message }] of Object.entries(FINDING_CODES)) {
      const used = [...new Set(placeholdersOf(String(texts[code])))].sort();
      t.strictSame(used, [...new Set(placeholdersOf(message))].sort(), `${language} ${code}`);
    }
  }
});

t.test('messages worded by the specification are verbatim', async (t) => {
  const texts = textsOf('en-US');
  t.hasStrict(texts, {
    NOT_JSON: 'Only Json files are supported',
    NOT_A_PLUGIN: 'Plugin parsing failed.',
    IMAGE_FORMAT: 'Incorrect image format!',
    IMAGE_TOO_LARGE: 'The image size exceeds {size} MB',
    VIDEO_FORMAT: 'Incorrect video format!',
    VIDEO_TOO_LARGE: 'The video size exceeds {size} MB',
    TEXT_TOO_LONG: 'Over {limit} words',
  });
});

t.test('findings are grouped by severity, in their order', async (t) => {
  const found = [
    finding('FILE_ORPHAN', { pointer: '/a' }, { file: 'a' }),
    finding('NOT_A_PLUGIN', { pointer: '' }),
    finding('FILE_ORPHAN', { pointer: '/b' }, { file: 'b' }),
  ];
  t.strictSame(
    findingGroups(found).map(({ severity, findings }) => [severity, findings.map(({ pointer }) => pointer)]),
    [
      ['error', ['']],
      ['warning', ['/a', '/b']],
    ],
  );
  t.strictSame(findingGroups([]), []);
});

t.test('a place is formatted as file:line:column', async (t) => {
  const at = (place: Partial<Finding>): string =>
    sourcePosition({ code: 'X', severity: 'error', pointer: '', message: '', ...place });
  t.equal(at({ file: 'main.js', line: 3, column: 7 }), 'main.js:3:7');
  t.equal(at({ file: 'main.js' }), 'main.js');
  t.equal(at({ line: 3 }), '3');
  t.equal(at({}), '');
});

t.test('a copied line has severity, code, place and text', async (t) => {
  const found = finding(
    'CODE_SYNTAX',
    { pointer: '/files/main.js', file: 'main.js', line: 1, column: 2 },
    { file: 'main.js', reason: 'Unexpected token' },
  );
  t.equal(findingLine(found, 'Says why.'), 'ERROR  CODE_SYNTAX  /files/main.js  main.js:1:2  Says why.');
  t.equal(findingLine(finding('NOT_A_PLUGIN', { pointer: '' }), 'No.'), 'ERROR  NOT_A_PLUGIN  No.');
});

t.test('a detail without a finding code is shown by its message', async (t) => {
  t.hasStrict(findingOfDetail({ pointer: '/name', message: 'must be text' }), {
    code: 'VALIDATION_FAILED',
    severity: 'error',
    message: 'must be text',
  });
  t.equal(findingOfDetail(finding('FIELD_REQUIRED', { pointer: '/name' })).code, 'FIELD_REQUIRED');
});
