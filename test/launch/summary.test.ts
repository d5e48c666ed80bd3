import { join } from 'node:path';
import t from 'tap';
import { countsOf, testFiles } from '../run/tap.js';

t.test('counts come from the last line of the report', async (t) => {
  t.strictSame(countsOf('# { total: 7, pass: 4, fail: 1, skip: 1, todo: 1 }', 1), {
    passed: 4,
    failed: 1,
    skipped: 2,
  });
  t.strictSame(countsOf('# { total: 7, pass: 7 }', 0), { passed: 7, failed: 0, skipped: 0 });
});

t.test('a run that broke off has failed, whatever it counted', async (t) => {
  t.strictSame(countsOf('', 1), { passed: 0, failed: 1, skipped: 0 });
  t.strictSame(countsOf('# { total: 7, pass: 7 }', null), { passed: 7, failed: 1, skipped: 0 });
});

t.test('files are chosen by words in their path', async (t) => {
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
  t.strictSame(testFiles(root, []), [a, b, c]);
  t.strictSame(testFiles(root, ['gateway']), [a, b]);
  t.strictSame(testFiles(root, ['b.test', 'web']), [b, c]);
  t.strictSame(testFiles(root, ['nothing']), []);
});
