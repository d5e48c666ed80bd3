import { createHash } from 'node:crypto';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import {
  openPackageCheck,
  type PackageCheckOptions,
} from '../../../../server/community/publishing/packages/package-check.ts';
import { DEFAULT_PACKAGE_LIMITS } from '../../../../shared/package/package.ts';
import {
  BASE_LINES,
  bundle,
  bytesOf,
  goodPackage,
  LINE,
  withLine,
  withMain,
} from '../../../fixtures/packages/base.ts';

const MEGABYTE = 1024 * 1024;

/** The user of packages, where it does not matter. */
const ADA = { userId: 7 };

/** The limits of time are for a server; here they matter only to the cases that set them. */
const UNLIMITED = { workLimit: 3_600_000, timeLimit: 3_600_000 };

function open(t: Test, options?: PackageCheckOptions) {
  const packages = openPackageCheck({ ...UNLIMITED, ...options });
  t.teardown(() => packages.close());
  return packages;
}

/** A thread that has died keeps no program alive, which a server is by itself. */
const alive = setInterval(() => undefined, 1000);
t.teardown(() => clearInterval(alive));

t.test('a package is checked and hashed in the thread', async (t) => {
  const packages = open(t);
  const bytes = bytesOf(goodPackage());
  const checked = await packages.check(bytes, ADA);
  t.strictSame(checked.findings, []);
  t.hasStrict(checked.package, {
    name: 'Palette',
    version: '1.0.0',
    files: [{ name: 'main.js' }, { name: 'ui.html' }],
  });
  t.equal(checked.sha256, createHash('sha256').update(bytes).digest('hex'));
  t.equal(bytes.length, bytesOf(goodPackage()).length, "the bytes are still the caller's");
});

t.test('findings, limits and origin are passed to and from the check', async (t) => {
  const packages = open(t, { limits: { ...DEFAULT_PACKAGE_LIMITS, codeBytes: 30 } });
  const origin = { line: 10, column: 1, pointer: '/3' };
  t.match(
    (await packages.check(bytesOf(withLine(LINE.name, '    "name": 5,')), { ...ADA, origin })).findings,
    [
      { code: 'FIELD_TYPE', pointer: '/3/manifest/name', line: 9 + LINE.name },
      { code: 'CODE_TOO_LARGE', pointer: '/3/files/main.js' },
    ],
  );
});

t.test('a package over the limit is not sent to the thread', async (t) => {
  const packages = open(t, { limits: { ...DEFAULT_PACKAGE_LIMITS, fileBytes: MEGABYTE } });
  const checked = await packages.check(new Uint8Array(MEGABYTE + 1), {
    ...ADA,
    origin: { line: 7, pointer: '/2' },
  });
  t.hasStrict(checked, {
    package: null,
    findings: [{ code: 'PACKAGE_TOO_LARGE', pointer: '/2', line: 7, params: { size: '1' } }],
  });
  t.match(checked.sha256, /^[0-9a-f]{64}$/);
});

t.test('checks that take too long', async (t) => {
  const limits = { ...DEFAULT_PACKAGE_LIMITS, fileBytes: 64 * MEGABYTE };
  const script = JSON.stringify(bundle(4.9 * MEGABYTE));
  const scripts = Array.from({ length: 8 }, (_, index) => `    "part${index}.js": ${script},`);
  const large = bytesOf(withLine(LINE.mainFile, [BASE_LINES[LINE.mainFile - 1], ...scripts].join('\n')));

  t.test('a check ends after its processor time, and the next one continues', async (t) => {
    let taken = 2001;
    const packages = open(t, { workLimit: 2000, limits, cpuTimeOf: async () => taken });
    t.hasStrict(await packages.check(large, ADA), {
      package: null,
      findings: [
        {
          code: 'CHECK_TIMED_OUT',
          severity: 'error',
          params: { seconds: '2' },
          message: 'The package is too complex: its check would take longer than 2 seconds.',
        },
      ],
    });
    taken = 2000;
    const next = bytesOf(withMain(bundle(1.2 * MEGABYTE)));
    t.strictSame((await packages.check(next, ADA)).findings, [], 'in a new thread in its place');
  });

  t.test('the processor time is that of the thread', async (t) => {
    const packages = open(t, { workLimit: 1, limits });
    t.hasStrict(await packages.check(large, ADA), {
      package: null,
      findings: [{ code: 'CHECK_TIMED_OUT', params: { seconds: '0.001' } }],
    });
  });
});

t.test('a package of another user does not wait for ten large ones', async (t) => {
  const packages = open(t);
  const large = bytesOf(withMain(bundle(4 * MEGABYTE)));
  const stop = new AbortController();
  let done = 0;
  const others = Array.from({ length: 10 }, async () => {
    await packages.check(large, { userId: 66, signal: stop.signal });
    done += 1;
  });
  const { findings } = await packages.check(bytesOf(withMain(bundle(391 * 1024))), ADA);
  t.strictSame(findings, []);
  t.ok(done < others.length, 'it did not wait for them');
  stop.abort();
  await Promise.allSettled(others);
});

t.test(
  'a small package does not wait for large ones of many users, nor a large one for small ones',
  async (t) => {
    const packages = open(t);
    const large = bytesOf(withMain(bundle(3 * MEGABYTE)));
    const stop = new AbortController();
    let done = 0;
    const others = Array.from({ length: 6 }, async (_, place) => {
      await packages.check(large, { userId: 60 + place, signal: stop.signal });
      done += 1;
    });
    await packages.check(bytesOf(withMain(bundle(391 * 1024))), ADA);
    t.ok(done < others.length, 'the small one did not wait for all of them');
    stop.abort();
    await Promise.allSettled(others);
    const settled: string[] = [];
    const small = bytesOf(withMain(bundle(900 * 1024)));
    const stopSmalls = new AbortController();
    const smalls = Array.from({ length: 40 }, (_, place) =>
      packages
        .check(small, { userId: 100 + place, signal: stopSmalls.signal })
        .then(() => settled.push('small')),
    );
    await packages.check(bytesOf(withMain(bundle(1.2 * MEGABYTE))), ADA).then(() => settled.push('large'));
    t.ok(settled.indexOf('large') < smalls.length, 'the large one did not wait for all of them');
    stopSmalls.abort();
    await Promise.allSettled(smalls);
  },
);

t.test('too many packages of one user are refused, those of others are accepted', async (t) => {
  const packages = open(t);
  const bytes = bytesOf(goodPackage());
  const taken = Array.from({ length: 21 }, () => packages.check(bytes, { userId: 66 }));
  await t.rejects(packages.check(bytes, { userId: 66 }), {
    code: 'TOO_MANY_REQUESTS',
    statusCode: 429,
    headers: { 'retry-after': '5' },
  });
  t.strictSame((await packages.check(bytes, ADA)).findings, []);
  await Promise.all(taken);
  t.strictSame((await packages.check(bytes, { userId: 66 })).findings, []);
});

t.test('an aborted check ends immediately', async (t) => {
  const packages = open(t);
  const large = bytesOf(withMain(bundle(4.5 * MEGABYTE)));
  await packages.check(bytesOf(goodPackage()), ADA);
  const controllers = [new AbortController(), new AbortController()];
  const settled: string[] = [];
  const given = controllers.map(({ signal }, place) =>
    packages
      .check(large, { ...ADA, signal })
      .catch((error) => error)
      .then((answer) => settled.push(answer instanceof Error ? `${place} ${answer.message}` : `${place}`)),
  );
  const last = packages.check(bytesOf(goodPackage()), ADA).then(() => settled.push('last'));
  controllers[1]?.abort(new Error('gone'));
  controllers[0]?.abort(new Error('gone'));
  await Promise.all([...given, last]);
  t.strictSame(settled.toSorted(), ['0 gone', '1 gone', 'last']);
  t.equal(settled.at(-1), 'last');
  const early = AbortSignal.abort(new Error('gone before'));
  await t.rejects(packages.check(large, { ...ADA, signal: early }), { message: 'gone before' });
});

t.test('a package in a file is read in the thread', async (t) => {
  const packages = open(t);
  const path = join(t.testdir({ 'a.json': goodPackage(), 'huge.json': 'x'.repeat(11 * MEGABYTE) }), 'a.json');
  const { findings, sha256 } = await packages.check(path, ADA);
  t.strictSame(findings, []);
  t.equal(sha256, createHash('sha256').update(goodPackage()).digest('hex'));
  t.hasStrict((await packages.check(join(path, '../huge.json'), ADA)).findings, [
    { code: 'PACKAGE_TOO_LARGE' },
  ]);
});

t.test('a thread that does not start in time is given up and does not block the next', async (t) => {
  const packages = open(t, { timeLimit: 5 });
  for (const _ of [1, 2, 3]) {
    t.hasStrict(await packages.check(bytesOf(goodPackage()), ADA), {
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
  t.hasStrict(await packages.check(large, ADA), {
    package: null,
    findings: [{ code: 'CHECK_TOO_LARGE', severity: 'error', pointer: '' }],
  });
  t.strictSame((await packages.check(bytesOf(goodPackage()), ADA)).findings, []);
});

t.test('time in the queue does not count', async (t) => {
  let started = 0;
  t.capture(AbortSignal, 'timeout', () => {
    started += 1;
    return new AbortController().signal;
  });
  const packages = open(t);
  const bytes = bytesOf(withMain(bundle(391 * 1024)));
  const timers = await Promise.all(
    Array.from({ length: 4 }, () => packages.check(bytes, ADA).then(() => started)),
  );
  t.ok(timers[0] === 1 || timers[0] === 2, 'the first is done before the time of the third starts');
  t.equal(started, 4);
});

t.test('a large package takes little time of the main thread', async (t) => {
  const packages = open(t);
  await packages.check(bytesOf(goodPackage()), ADA);
  const bytes = bytesOf(withMain(bundle(4.5 * MEGABYTE)));
  const here = process.threadCpuUsage();
  const all = process.cpuUsage();
  const { findings } = await packages.check(bytes, ADA);
  const mine = process.threadCpuUsage(here).user;
  const { user } = process.cpuUsage(all);
  t.strictSame(findings, []);
  t.ok(mine < user / 2, `${mine} of ${user} microseconds`);
});
