import { createHash } from 'node:crypto';
import t, { type Test } from 'tap';
import {
  openPackageCheck,
  type PackageCheckOptions,
} from '../../../server/community/packages/package-check.ts';
import { DEFAULT_PACKAGE_LIMITS } from '../../../shared/package/limits.ts';
import { bundle, bytesOf, goodPackage, LINE, withLine, withMain } from '../../fixtures/packages/base.ts';

const MEGABYTE = 1024 * 1024;

function open(t: Test, options?: PackageCheckOptions) {
  const packages = openPackageCheck(options);
  t.teardown(() => packages.close());
  return packages;
}

/** A thread that has died keeps no program alive, which a server is by itself. */
const alive = setInterval(() => undefined, 1000);
t.teardown(() => clearInterval(alive));

t.test('a package is checked in the thread, and its hash made', async (t) => {
  const packages = open(t);
  const bytes = bytesOf(goodPackage());
  const checked = await packages.check(bytes);
  t.strictSame(checked.findings, []);
  t.match(checked.package, {
    name: 'Palette',
    version: '1.0.0',
    files: [{ name: 'main.js' }, { name: 'ui.html' }],
  });
  t.equal(checked.sha256, createHash('sha256').update(bytes).digest('hex'));
  t.equal(bytes.length, bytesOf(goodPackage()).length, "the bytes are still the caller's");
});

t.test('findings, limits and origin are those of the check itself', async (t) => {
  const packages = open(t, { limits: { ...DEFAULT_PACKAGE_LIMITS, codeBytes: 30 } });
  const origin = { line: 10, column: 1, pointer: '/3' };
  t.match((await packages.check(bytesOf(withLine(LINE.name, '    "name": 5,')), origin)).findings, [
    { code: 'FIELD_TYPE', pointer: '/3/manifest/name', line: 9 + LINE.name },
    { code: 'CODE_TOO_LARGE', pointer: '/3/files/main.js' },
  ]);
});

t.test('a package over the limit does not reach the thread', async (t) => {
  const packages = open(t, { limits: { ...DEFAULT_PACKAGE_LIMITS, fileBytes: MEGABYTE } });
  const checked = await packages.check(new Uint8Array(MEGABYTE + 1), { line: 7, pointer: '/2' });
  t.match(checked, {
    package: null,
    findings: [{ code: 'PACKAGE_TOO_LARGE', pointer: '/2', line: 7, params: { size: '1' } }],
  });
  t.match(checked.sha256, /^[0-9a-f]{64}$/);
});

t.test('a check that takes too long ends, and the next one works', async (t) => {
  const packages = open(t, { timeLimit: 6000 });
  // The parser compares each declaration of a block with all before it: minutes for these.
  const declarations = Array.from({ length: 400_000 }, (_, index) => `let v${index};`);
  t.match(await packages.check(bytesOf(withMain(declarations.join('')))), {
    package: null,
    findings: [{ code: 'CHECK_TIMED_OUT', severity: 'error', params: { seconds: '6' } }],
  });
  t.strictSame((await packages.check(bytesOf(goodPackage()))).findings, []);
});

t.test('a thread that is not there in time is given up, and does not hold up the next', async (t) => {
  const packages = open(t, { timeLimit: 5 });
  for (const _ of [1, 2, 3]) {
    t.match(await packages.check(bytesOf(goodPackage())), {
      package: null,
      findings: [{ code: 'CHECK_TIMED_OUT' }],
    });
  }
});

t.test('a check that needs too much memory ends, and the next one works', async (t) => {
  const packages = open(t, {
    memoryLimit: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 },
  });
  const large = bytesOf(withMain(`a=[${'{b:1},'.repeat(500_000)}]`));
  t.match(await packages.check(large), {
    package: null,
    findings: [{ code: 'CHECK_TOO_LARGE', severity: 'error', pointer: '' }],
  });
  t.strictSame((await packages.check(bytesOf(goodPackage()))).findings, []);
});

t.test("waiting for one's turn does not count as time", async (t) => {
  const packages = open(t, { timeLimit: 5000 });
  const bytes = bytesOf(withMain(bundle(391 * 1024)));
  const checked = await Promise.all(Array.from({ length: 8 }, () => packages.check(bytes)));
  t.strictSame(
    checked.flatMap(({ findings }) => findings),
    [],
  );
});

t.test('requests are answered while a large package is checked', async (t) => {
  const packages = open(t);
  await packages.check(bytesOf(goodPackage()));
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 5);
  const checking = packages.check(bytesOf(withMain(bundle(4.5 * MEGABYTE))));
  const started = performance.now();
  const { findings } = await checking;
  const took = performance.now() - started;
  clearInterval(timer);
  t.strictSame(findings, []);
  t.ok(ticks > took / 5 / 4, `${ticks} turns in ${Math.round(took)} ms`);
});
