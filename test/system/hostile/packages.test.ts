import { Session } from 'node:inspector/promises';
import t from 'tap';
import { openPackageCheck } from '../../../server/community/publishing/packages/package-check.ts';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { bundle, bytesOf, packageText } from '../../fixtures/packages/base.ts';
import { HOSTILE_PACKAGES, QUADRATIC_PACKAGES } from '../../fixtures/packages/hostile.ts';

const SMALL = 150_000;
const GROWTH = 4;
/** Allowed growth of the work if the package grows by GROWTH: linear work is 4 times as much, quadratic work 16 times. */
const GROWTH_MAX = 6;
/**
 * Allowed cost compared to a normal package of the same size, native code included: up to 12 is usual, more on a busy
 * machine; quadratic work takes hundreds.
 */
const COST_MAX = 100;
/** Shorter CPU times, in milliseconds, are not compared. */
const LEAST = 25;
/** Bytes of a package for which acorn works several seconds, and the milliseconds that it gets. */
const LARGE = 1_000_000;
const WORK_LIMIT = 500;
/** Threads that have ended keep no program alive, which a server is by itself. */
const alive = setInterval(() => undefined, 1000);
t.teardown(() => clearInterval(alive));

/** CPU time of a check in milliseconds, with that of native code, without that of other processes. */
function costOf(bytes: Uint8Array): number {
  const before = process.threadCpuUsage();
  checkPackage(bytes);
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(LEAST, (user + system) / 1000);
}

// First: blocks of code that V8 has already optimized are not counted.
t.test('the work of a check is linear in the size of the package', async (t) => {
  const session = new Session();
  session.connect();
  t.teardown(() => session.disconnect());
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  /** Blocks of JavaScript that have run since the last call, as V8 counts them: as many on every machine. */
  async function takeBlocks(): Promise<number> {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ranges = result.flatMap(({ functions }) => functions).flatMap((one) => one.ranges);
    return ranges.reduce((sum, { count }) => sum + count, 0);
  }
  for (const [name, make] of Object.entries(HOSTILE_PACKAGES)) {
    const work: number[] = [];
    for (const bytes of [make(SMALL), make(SMALL * GROWTH)]) {
      await takeBlocks();
      checkPackage(bytes);
      work.push(await takeBlocks());
    }
    const [small = 0, large = 0] = work;
    t.ok(0 < small && large <= small * GROWTH_MAX, `${name}: ${small} blocks, then ${large}`);
  }
});

const plain = bytesOf(
  packageText({
    manifest: { name: 'Honest', main: 'main.js' },
    files: { 'main.js': bundle(SMALL * GROWTH) },
  }),
);

for (const [name, make] of Object.entries(HOSTILE_PACKAGES)) {
  t.test(`a check costs little more than that of an honest package: ${name}`, async (t) => {
    const large = make(SMALL * GROWTH);
    let least = Number.POSITIVE_INFINITY;
    let price = 0;
    // Garbage collection and other processes may slow one of the runs.
    for (let tries = 0; tries < 3 && least > price * COST_MAX; tries += 1) {
      least = Math.min(least, costOf(large));
      price = Math.max(price, costOf(plain));
    }
    t.ok(least <= price * COST_MAX, `${(least / price).toFixed(1)} times the work of an honest one`);
  });
}

for (const [name, make] of Object.entries(QUADRATIC_PACKAGES)) {
  t.test(`a check that takes too long names the script: ${name}`, async (t) => {
    const packages = openPackageCheck({ workLimit: WORK_LIMIT });
    t.teardown(() => packages.close());
    t.strictSame((await packages.check(make(LARGE), { userId: 1 })).findings, [
      {
        code: 'CODE_TOO_COMPLEX',
        severity: 'error',
        pointer: '',
        file: 'main.js',
        message: 'The file main.js is too complex to be read.',
        params: { file: 'main.js' },
      },
    ]);
  });
}

t.test('more pages than files are refused', async (t) => {
  const ui = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`p${index}`, 'ui.html']));
  const text = packageText({
    manifest: { name: 'Pages', main: 'main.js', ui },
    files: { 'main.js': '1', 'ui.html': '' },
  });
  t.hasStrict(checkPackage(bytesOf(text)).findings, [
    { code: 'TOO_MANY_ITEMS', pointer: '/manifest/ui', params: { limit: '32' } },
  ]);
});
