import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import t from 'tap';
import { IntlProvider } from 'use-intl';
import type { Finding } from '../../../shared/entities/finding.ts';
import { LANGUAGES } from '../../../shared/languages.ts';
import { FINDING_CODES, finding } from '../../../shared/package/finding-codes.ts';
import { DEFAULT_PACKAGE_LIMITS } from '../../../shared/package/package.ts';
import {
  findingGroups,
  findingLine,
  findingOfDetail,
  placeholdersOf,
  sourcePosition,
  useFindingText,
} from '../../../web/features/findings/findings.ts';
import type { PackageItem } from '../../../web/features/packages/package-item.ts';
import { fingerprint, readItems } from '../../../web/features/packages/read-items.ts';

t.test('packages', async (t) => {
  const limits = DEFAULT_PACKAGE_LIMITS;

  function packageNamed(name: string, main = 'done();'): object {
    return {
      format: 'plugin-package',
      formatVersion: 1,
      manifest: { name, main: 'main.js', networkAccess: { allowedDomains: ['none'] } },
      files: { 'main.js': main },
    };
  }

  async function read(file: File, fileIndex = 0): Promise<{ items: PackageItem[]; bytes: number }> {
    const items: PackageItem[] = [];
    let bytes = 0;
    const onBytes = (more: number): void => {
      bytes += more;
    };
    for await (const item of readItems(file, { fileIndex, limits, onBytes })) items.push(item);
    return { items, bytes };
  }

  const fileOf = (value: unknown, name = 'x.json'): File =>
    new File([typeof value === 'string' ? value : JSON.stringify(value, null, 2)], name);

  t.test('a file of one package is one item', async (t) => {
    const file = fileOf(packageNamed('Grid'), 'grid.json');
    const { items, bytes } = await read(file, 3);
    t.equal(bytes, file.size, 'the whole file was counted');
    t.hasStrict(items, [
      { file: 3, fileName: 'grid.json', index: 0, findings: [], package: { name: 'Grid' }, isCutOff: false },
    ]);
    t.equal(items[0]?.origin.pointer, '');
    t.equal(await items[0]?.content.text(), await file.text());
  });

  t.test('a list has one item per package, each with its own bytes, line and pointer', async (t) => {
    const list = [packageNamed('One'), packageNamed('Two', 'function ('), packageNamed('Three')];
    const { items } = await read(fileOf(list));
    t.strictSame(
      items.map(({ index, origin, package: found }) => [index, origin.pointer, found?.name]),
      [
        [0, '/0', 'One'],
        [1, '/1', 'Two'],
        [2, '/2', 'Three'],
      ],
    );
    for (const [index, item] of items.entries()) {
      t.strictSame(JSON.parse(await item.content.text()), list[index]);
    }
    t.ok((items[1]?.origin.line ?? 0) > (items[0]?.origin.line ?? 0));
    t.hasStrict(items[1]?.findings, [
      { code: 'CODE_SYNTAX', severity: 'error', pointer: '/1/files/main.js' },
    ]);
    t.equal(new Set(items.map((item) => item.fingerprint)).size, 3);
  });

  t.test('a broken package is an item with an error', async (t) => {
    const cases: [text: string, code: string][] = [
      ['', 'JSON_EMPTY'],
      ['not json', 'NOT_JSON'],
      ['{"name":"App","start_url":"/"}', 'NOT_A_PLUGIN'],
      ['{"format":', 'JSON_UNFINISHED'],
      ['[]', 'BATCH_EMPTY'],
    ];
    for (const [text, code] of cases) {
      const { items } = await read(fileOf(text));
      t.equal(items.length, 1, text);
      t.ok(
        items[0]?.findings.some((found) => found.code === code && found.severity === 'error'),
        `${text} is ${code}`,
      );
      t.equal(items[0]?.package, null);
    }
  });

  t.test('a truncated list keeps its complete items', async (t) => {
    const { items } = await read(fileOf(`[${JSON.stringify(packageNamed('One'))}, `));
    t.equal(items[0]?.package?.name, 'One');
    t.hasStrict(items[1], { index: 1, package: null, findings: [{ code: 'JSON_UNFINISHED' }] });
  });

  t.test('an unreadable file is reported and does not affect others', async (t) => {
    class GoneFile extends File {
      override stream(): ReturnType<File['stream']> {
        let hasFailed = false;
        return new ReadableStream({
          pull(controller) {
            if (hasFailed) controller.error(new DOMException('gone', 'NotReadableError'));
            else controller.enqueue(new TextEncoder().encode(`[${JSON.stringify(packageNamed('One'))},`));
            hasFailed = true;
          },
        });
      }
    }
    const { items } = await read(new GoneFile([], 'gone.json'));
    t.equal(items[0]?.package?.name, 'One');
    t.hasStrict(items[1], { isCutOff: true, package: null, findings: [] });
  });

  t.test('fingerprints differ for different contents', async (t) => {
    const of = (text: string): string => fingerprint(new TextEncoder().encode(text));
    t.equal(of('abc'), of('abc'));
    t.equal(new Set(['', 'a', 'b', 'ab', 'ba', 'abc', 'acb'].map(of)).size, 7);
  });
});

t.test('findings', async (t) => {
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

  t.test('messages of the requirements are verbatim (R 5.7, R 5.9 to 5.11)', async (t) => {
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
      findingGroups(found).map(({ severity, findings }) => [
        severity,
        findings.map(({ pointer }) => pointer),
      ]),
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

  t.test('a detail without a finding code fails the validation', async (t) => {
    t.hasStrict(findingOfDetail({ pointer: '/name', message: 'must be text' }), {
      code: 'VALIDATION_FAILED',
      severity: 'error',
      message: 'must be text',
    });
    t.equal(findingOfDetail(finding('FIELD_REQUIRED', { pointer: '/name' })).code, 'FIELD_REQUIRED');
  });

  t.test(
    'a refusal without a reason of its own reads “Illegal input” in the reader’s language',
    async (t) => {
      const Text = ({ code }: { code: string }) => useFindingText()({ code, message: 'must be text' });
      for (const [language, code, shown] of [
        ['en-US', 'VALIDATION_FAILED', 'Illegal input'],
        ['zh-CN', 'VALIDATION_FAILED', '输入不合法'],
        ['ru-RU', 'VALIDATION_FAILED', 'Недопустимое значение'],
        ['ru-RU', 'NEWER_THAN_THIS_PAGE', 'must be text'],
      ] as const) {
        const pack = new URL(`../../../locales/${language}.json`, import.meta.url);
        const messages = JSON.parse(readFileSync(pack, 'utf8'));
        const children = createElement(Text, { code });
        const html = renderToString(createElement(IntlProvider, { locale: language, messages, children }));
        t.equal(html, shown);
      }
    },
  );
});
