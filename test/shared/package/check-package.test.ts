import fc from 'fast-check';
import t from 'tap';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { FINDING_CODES, finding, isFindingCode, isUsable } from '../../../shared/package/finding-codes.ts';
import { DEFAULT_PACKAGE_LIMITS } from '../../../shared/package/package.ts';
import {
  BASE_LINES,
  bytesOf,
  goodPackage,
  LINE,
  packageText,
  withLine,
  withMain,
} from '../../fixtures/packages/base.ts';

function isAnswer(bytes: Uint8Array): boolean {
  const { findings } = checkPackage(bytes);
  return (
    findings.length <= DEFAULT_PACKAGE_LIMITS.findings + 1 &&
    findings.every(
      ({ code, message, line = 1, column = 1 }) =>
        isFindingCode(code) && message.length < 1000 && line >= 1 && column >= 1,
    )
  );
}

t.test('any bytes give a result', async (t) => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), isAnswer), { numRuns: 2000 });
  t.pass('2000 files');
});

t.test('any JSON gives a result', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (manifest, files, listing) =>
      isAnswer(
        bytesOf(JSON.stringify({ format: 'plugin-package', formatVersion: 1, manifest, files, listing })),
      ),
    ),
    { numRuns: 1000 },
  );
  t.pass('1000 packages');
});

t.test('any value in place of a valid one gives a result', async (t) => {
  const lines = BASE_LINES.map((text, index) => ({ text, line: index + 1 })).filter(({ text }) =>
    /": /.test(text),
  );
  fc.assert(
    fc.property(fc.constantFrom(...lines), fc.jsonValue(), ({ text, line }, value) => {
      const key = text.slice(0, text.indexOf(':'));
      const end = text.endsWith(',') ? ',' : '';
      return isAnswer(bytesOf(withLine(line, `${key}: ${JSON.stringify(value)}${end}`)));
    }),
    { numRuns: 1500 },
  );
  t.pass('1500 packages');
});

t.test('a changed or truncated file gives a result', async (t) => {
  const good = bytesOf(goodPackage());
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.nat(255), fc.boolean(), (at, byte, isCut) => {
      if (isCut) return isAnswer(good.slice(0, at)) && !isUsable(checkPackage(good.slice(0, at)).findings);
      const changed = good.slice();
      changed[at] = byte;
      return isAnswer(changed);
    }),
    { numRuns: 1500 },
  );
  t.pass('1500 files');
});

t.test('a syntax error of a script has the line of the script', async (t) => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(40), (before, indent) => {
      const script = `${'run();\n'.repeat(before)}${' '.repeat(indent)}const = 1;\n`;
      const [first] = checkPackage(bytesOf(withMain(script))).findings;
      return first?.code === 'CODE_SYNTAX' && first.line === before + 1 && first.column === indent + 7;
    }),
  );
  t.pass('lines and columns hold');
});

t.test('findings are limited, errors first, and the rest is counted', async (t) => {
  const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
  const manifest = { ...unknown, name: 5, main: 'main.js' };
  const { findings } = checkPackage(bytesOf(packageText({ manifest, files: { 'main.js': 'run();' } })));
  t.equal(findings.length, 201);
  t.hasStrict(findings[0], { code: 'FIELD_TYPE', severity: 'error', pointer: '/manifest/name' });
  t.hasStrict(findings[200], { code: 'TOO_MANY_FINDINGS', params: { count: '302' } });
});

t.test('errors are reported before findings of lower severity', async (t) => {
  const limits = { ...DEFAULT_PACKAGE_LIMITS, findings: 3 };
  const files = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd', 'main.js': 'const = 1' };
  const manifest = { name: 'P', main: 'main.js' };
  const { findings } = checkPackage(bytesOf(packageText({ manifest, files })), { limits });
  t.equal(findings.length, 4);
  t.hasStrict(findings[0], { code: 'CODE_SYNTAX', severity: 'error' });
  t.notOk(isUsable(findings));
});

t.test('findings of a list item have the lines and pointers of its file', async (t) => {
  const bytes = bytesOf(withLine(LINE.name, '    "name": 5,'));
  const origin = { line: 41, column: 3, pointer: '/7' };
  t.match(checkPackage(bytes, { origin }).findings, [
    { code: 'FIELD_TYPE', pointer: '/7/manifest/name', line: 40 + LINE.name, column: 13 },
  ]);
  const oneLine = bytesOf(JSON.stringify({ format: 'plugin-package', formatVersion: 2 }));
  t.match(checkPackage(oneLine, { origin }).findings[0], {
    code: 'FORMAT_VERSION',
    pointer: '/7/formatVersion',
    line: 41,
    column: 3 + oneLine.length - 2,
  });
  const script = checkPackage(bytesOf(withMain('const = 1')), { origin }).findings;
  t.hasStrict(script, [
    { code: 'CODE_SYNTAX', pointer: '/7/files/main.js', file: 'main.js', line: 1, column: 7 },
  ]);
});

t.test('the given limits apply', async (t) => {
  const check = (limits: Partial<typeof DEFAULT_PACKAGE_LIMITS>) =>
    checkPackage(bytesOf(goodPackage()), { limits: { ...DEFAULT_PACKAGE_LIMITS, ...limits } }).findings;
  t.hasStrict(check({ fileBytes: 100 }), [{ code: 'PACKAGE_TOO_LARGE', params: { size: '0' } }]);
  t.hasStrict(check({ codeBytes: 20 }), [
    { code: 'CODE_TOO_LARGE', pointer: '/files/main.js', params: { file: 'main.js' } },
  ]);
  t.hasStrict(check({ files: 1 }), [{ code: 'TOO_MANY_FILES', params: { limit: '1' } }]);
  t.hasStrict(check({ depth: 2 }), [{ code: 'JSON_TOO_DEEP', line: LINE.menu }]);
  t.strictSame(check({ fileBytes: bytesOf(goodPackage()).length }), []);
});

t.test(
  'a finding has its params in the message, shortens long ones and shows invisible characters',
  async (t) => {
    const found = finding(
      'FILE_MISSING',
      { pointer: '/manifest/main' },
      { file: `a\u0000${'é'.repeat(300)}` },
    );
    t.equal(found.severity, 'error');
    t.match(found.message, /^The package has no file a\u{fffd}é+…\.$/u);
    t.equal([...(found.params?.file ?? '')].length, 201);
    t.notOk('params' in finding('FIELD_REQUIRED', { pointer: '/name' }));
    for (const [code, { message }] of Object.entries(FINDING_CODES)) {
      t.match(code, /^[A-Z][A-Z0-9_]+$/);
      t.ok(message.length > 10);
    }
  },
);
