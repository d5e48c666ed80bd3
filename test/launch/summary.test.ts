import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { withCoverage } from '../run/coverage.js';
import { NAMED } from '../run/long.js';
import { countCases, testFiles } from '../run/tap.js';

/** Counts of a report's lines, and of a run that ended with `exitCode`. */
function counted(report: string, exitCode: number | null = 0) {
  const cases = countCases();
  for (const line of report.split('\n')) cases.read(line);
  return cases.end(exitCode);
}

t.test('cases are counted: tests without subtests, and files without tests', async (t) => {
  const report = `
        ok 1 - an assertion
        ok 2 - another
        1..2
    ok 1 - a case # time=1.5ms
        ok 1 - inner # time=2ms
        ok 2 - inner too # time=2ms
    ok 2 - with two cases # time=5ms
ok 1 - a.test.ts # time=9ms
    ok 1 - an assertion of a file without tests
ok 2 - b.test.ts # time=9ms`;
  t.strictSame(counted(report), { passed: 4, failed: 0, skipped: 0 });
});

t.test('a failure is counted once', async (t) => {
  const inner = `
        not ok 1 - an assertion
    not ok 1 - a case # time=1.5ms
    ok 2 - another # time=1ms
not ok 1 - a.test.ts # time=9ms`;
  t.strictSame(counted(inner, 1), { passed: 1, failed: 1, skipped: 0 });
  const outer = `
    ok 1 - a case # time=1ms
    not ok 2 - an assertion beside it
not ok 1 - a.test.ts # time=9ms`;
  t.strictSame(counted(outer, 1), { passed: 1, failed: 1, skipped: 0 });
});

t.test('skipped cases are reported', async (t) => {
  const report = `
    ok 1 - a case # SKIP no Redis
ok 1 - a.test.ts # time=9ms`;
  t.strictSame(counted(report), { passed: 0, failed: 0, skipped: 1 });
});

t.test('an aborted run has failed', async (t) => {
  t.strictSame(counted('', 1), { passed: 0, failed: 1, skipped: 0 });
  t.strictSame(counted('ok 1 - a.test.ts # time=1ms', null), { passed: 1, failed: 1, skipped: 0 });
});

t.test('files are selected by words in their path', async (t) => {
  const root = t.testdir({
    test: {
      gateway: { 'a.test.ts': '', 'b.test.tsx': '', 'helper.ts': '' },
      web: { 'c.test.ts': '' },
      support: { 'd.test.ts': '' },
    },
  });
  const [a, b, c] = ['gateway/a.test.ts', 'gateway/b.test.tsx', 'web/c.test.ts'].map((path) =>
    join('test', path),
  );
  t.strictSame(testFiles(root, { words: [] }), [a, b, c]);
  t.strictSame(testFiles(root, { words: ['gateway'] }), [a, b]);
  t.strictSame(testFiles(root, { words: ['b.test', 'web'] }), [b, c]);
  t.strictSame(testFiles(root, { words: ['nothing'] }), []);
});

t.test('browser tests are long ones unless they are selected', async (t) => {
  const root = t.testdir({
    test: {
      e2e: { 'home.test.ts': '', 'of-mine.test.ts': '', pictures: { 'pictures.test.ts': '' } },
      faults: { 'clock.test.ts': '', 'kill.test.ts': '' },
    },
  });
  const [home, mine, clock, kill] = ['e2e/home', 'e2e/of-mine', 'faults/clock', 'faults/kill'].map((path) =>
    join('test', `${path}.test.ts`),
  );
  t.strictSame(testFiles(root, { words: [] }), [home, kill]);
  t.strictSame(testFiles(root, { words: [], long: true }), [mine, clock]);
  for (const file of NAMED) t.ok(existsSync(file), `${file} is there`);
});

t.test('coverage is written to the README; a loss of more than one percent fails', async (t) => {
  const readme = (percent: number) =>
    `# Name\n\nTests without a browser run ${percent} % of the lines of \`server/\` and \`shared/\` (so).\n`;
  t.strictSame(withCoverage(readme(90), 93), { text: readme(93), isLower: false });
  t.strictSame(withCoverage(readme(90), 89), { text: readme(89), isLower: false });
  t.strictSame(withCoverage(readme(90), 88), { text: readme(88), isLower: true });
  t.throws(() => withCoverage('# Name', 93), { message: 'README.md has no coverage.' });
});
