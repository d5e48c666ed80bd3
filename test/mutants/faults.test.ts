import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { planted } from './fault.ts';
import { FAULTS } from './faults.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

t.test('every planted fault has its place, once, and tests that are there', async (t) => {
  const lost = FAULTS.flatMap((fault) => {
    try {
      planted(readFileSync(join(ROOT, fault.file), 'utf8'), fault);
      return fault.tests.filter((test) => !existsSync(join(ROOT, test)));
    } catch (error) {
      return [String(error)];
    }
  });
  t.strictSame(lost, []);
  t.ok(FAULTS.length >= 40);
});

t.test('a text that stands there twice, or not at all, is no place', async (t) => {
  const fault = { file: 'a.ts', text: 'one', replacement: 'two', tests: [], why: '' };
  t.equal(planted('just one.', fault), 'just two.');
  t.throws(() => planted('one and one', fault), {
    message: 'a.ts does not hold this text exactly once: one',
  });
  t.throws(() => planted('none', { ...fault, text: 'three' }));
});
