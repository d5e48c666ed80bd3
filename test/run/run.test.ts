import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { suiteOf, testFiles } from './suites.js';
import Summary from './summary.js';
import { assembleTap, runTap } from './tap.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

t.test('the last lines of a run', async (t) => {
  const summary = async (report: string): Promise<string> => {
    const reporter = new Summary();
    reporter.end(`${report}`);
    return (await reporter.toArray()).join('').trim();
  };

  t.test('cases are tests without subtests', async (t) => {
    const report = `# Subtest: worker
    # Subtest: a.test.ts
        # Subtest: a case
            ok 1 - an assertion
            ok 2 - another
            1..2
        ok 1 - a case # time=1.5ms
        # Subtest: with two cases
            # Subtest: inner
                ok 1 - an assertion
                1..1
            ok 1 - inner # time=2ms
            # Subtest: inner too
                ok 1 - an assertion
                1..1
            ok 2 - inner too # time=2ms
            1..2
        ok 2 - with two cases # time=5ms
        1..2
    ok 1 - a.test.ts # time=9ms
    1..1
ok 1 - worker # time=9ms
1..1
`;
    t.equal(await summary(report), '3 passed, 0 failed');
  });

  t.test('a failure is counted once, also beside passed cases', async (t) => {
    const report = `# Subtest: worker
    # Subtest: a case
        not ok 1 - an assertion
        1..1
    not ok 1 - a case # time=1.5ms
    # Subtest: another
        ok 1 - an assertion
        1..1
    ok 2 - another # time=1ms
    1..2
not ok 1 - worker # time=9ms
1..1
`;
    t.equal(await summary(report), '1 passed, 1 failed');
  });

  t.test('a process that broke off has failed', async (t) => {
    const report = `# Subtest: worker
    1..0
not ok 1 - worker # time=9ms
1..1
`;
    t.equal(await summary(report), '0 passed, 1 failed');
  });

  t.test('skipped cases are told by reason', async (t) => {
    const report = `# Subtest: worker
    ok 1 - one # SKIP slapd is not installed (apt-get install slapd)
    ok 2 - two # SKIP slapd is not installed (apt-get install slapd)
    ok 3 - three # SKIP only root may do this
    1..3
ok 1 - worker # time=9ms
1..1
`;
    t.equal(
      await summary(report),
      [
        'skipped 2 tests: slapd is not installed (apt-get install slapd)',
        'skipped 1 test: only root may do this',
        '0 passed, 0 failed',
      ].join('\n'),
    );
  });
});

t.test('files are those of a suite, or of all suites by words in their path', async (t) => {
  const root = t.testdir({
    test: {
      gateway: { 'a.test.ts': '', 'b.test.tsx': '//', 'helper.ts': '' },
      e2e: { 'home.test.ts': '', journeys: { 'visitor.test.ts': '///' } },
      system: { launch: { 'launch.test.ts': '' } },
      identity: { 'c.test.ts': '', 'long-module.ts': '////' },
    },
  });
  const [a, b] = ['test/gateway/a.test.ts', 'test/gateway/b.test.tsx'];
  const [home, visitor] = ['test/e2e/home.test.ts', 'test/e2e/journeys/visitor.test.ts'];
  const c = 'test/identity/c.test.ts';
  const launch = 'test/system/launch/launch.test.ts';
  t.strictSame(testFiles(root, { suite: 'unit' }), [c, visitor, b, a], 'the largest first, with its modules');
  t.strictSame(testFiles(root, { suite: 'e2e' }), [home]);
  t.strictSame(testFiles(root, { suite: 'system' }), [launch]);
  t.strictSame(testFiles(root, { suite: 'unit', words: ['b.test', 'launch'] }), [b, launch]);
  t.throws(() => testFiles(root, { suite: 'unit', words: ['nothing', 'else'] }), {
    message: 'There is no test file of nothing or else.',
  });
  t.equal(suiteOf('test/pictures/pictures.test.ts'), 'pictures');
});

t.test('the test class is built once, and again when an interrupted build has left part of it', async (t) => {
  const built = 'node_modules/@tapjs/test/test-built/dist';
  const root = t.testdir({
    '.taprc': 'plugin: []',
    node_modules: {
      tap: {
        'package.json': '{}',
        dist: {
          esm: {
            'run.mjs': `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
              appendFileSync('builds', 'x');
              for (const kind of ['esm', 'commonjs']) {
                mkdirSync('${built}/' + kind, { recursive: true });
                writeFileSync('${built}/' + kind + '/index.js', 'the class');
              }`,
          },
        },
      },
    },
  });
  const builds = async () => {
    await assembleTap(root, process.execPath, process.env);
    return (await readFile(join(root, 'builds'), 'utf8')).length;
  };
  t.equal(await builds(), 1);
  t.equal(await builds(), 1);
  await rm(join(root, built, 'esm/index.js'));
  t.equal(await builds(), 2, 'a file is missing');
  await writeFile(join(root, built, 'commonjs/index.js'), '');
  t.equal(await builds(), 3, 'a file is cut off');
  await rm(join(root, built), { recursive: true });
  t.equal(await builds(), 4, 'everything is missing');
  t.equal(await builds(), 4);
});

t.test('a run with workers', async (t) => {
  const cases = (...tests: string[]): string => `import t from 'tap';\n${tests.join('\n')}\n`;
  const SAYS_PROCESS = cases("console.error('process', process.pid);", 't.pass();');
  const cwd = t.testdir({
    'package.json': '{ "type": "module" }',
    '.taprc': await readFile(join(ROOT, '.taprc'), 'utf8'),
    node_modules: t.fixture('symlink', join(ROOT, 'node_modules')),
    test: { run: t.fixture('symlink', join(ROOT, 'test', 'run')) },
    'passes.test.js': cases("t.test('passes', async (t) => t.ok(true));"),
    'fails.test.js': cases("t.test('fails', async (t) => t.equal(1, 2, 'one is two'));"),
    'skips.test.js': cases("t.test('skips', { skip: 'nothing is installed' }, async () => undefined);"),
    'breaks.test.js': cases('process.exit(3);'),
    'says-process.test.js': SAYS_PROCESS,
    'says-process-too.test.js': SAYS_PROCESS,
  });
  const run = (names: string[], options: { isApart?: boolean; args?: string[] } = {}) =>
    runTap(
      process.execPath,
      names.map((name) => `${name}.test.js`),
      { cwd, env: { PATH: process.env.PATH }, output: 'pipe', ...options },
    );

  t.test('tells of each file, with all that a failed one said', async (t) => {
    const { code, text } = await run(['passes', 'fails', 'skips', 'breaks']);
    t.equal(code, 1);
    t.match(text, /^ {2}ok {2}passes\.test\.js {2}/m);
    t.match(text, /^ {2}NOT OK {2}fails\.test\.js {2}/m);
    t.match(text, /not ok 1 - one is two/);
    t.match(text, /skipped 1 test: nothing is installed\n1 passed, 2 failed\n/);
  });

  t.test('a file has a process of its own where it has to; skips fail a strict run', async (t) => {
    const processes = ({ text }: { text: string }): number => new Set(text.match(/process \d+/g)).size;
    const files = ['says-process', 'says-process-too', 'skips'];
    const apart = await run(files, { isApart: true, args: ['--fail-skip'] });
    t.equal(processes(apart), 2);
    t.equal(apart.code, 1);
    const together = await run(files, { args: ['--jobs=1'] });
    t.equal(processes(together), 1);
    t.equal(together.code, 0);
  });
});
