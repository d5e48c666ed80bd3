import t from 'tap';
import { DEFAULT_PACKAGE_LIMITS } from '../../../shared/package/package.ts';
import type { PackageItem } from '../../../web/features/packages/package-item.ts';
import { fingerprint, readItems } from '../../../web/features/packages/read-items.ts';

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
  t.hasStrict(items[1]?.findings, [{ code: 'CODE_SYNTAX', severity: 'error', pointer: '/1/files/main.js' }]);
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
