import { fileURLToPath } from 'node:url';
import t from 'tap';
import { checks } from '../conformance/checks.ts';
import { planted, problemsOf } from './fault.ts';
import { FAULTS } from './faults.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHECKS = checks.map(({ id }) => id);

t.test('a fault whose text occurs twice or not at all is refused', async (t) => {
  const fault = { file: 'a.ts', text: 'one', replacement: 'two', tests: [], why: '' };
  t.equal(planted('just one.', fault), 'just two.');
  t.throws(() => planted('one and one', fault), {
    message: 'a.ts does not hold this text exactly once: one',
  });
  t.throws(() => planted('none', { ...fault, text: 'three' }), {
    message: 'a.ts does not hold this text exactly once: three',
  });
});

t.test('each fault can be planted, and what detects it is there', async (t) => {
  t.strictSame(
    FAULTS.flatMap((fault) => problemsOf(ROOT, fault, CHECKS)),
    [],
  );
});

t.test('a fault whose tests have moved is named', async (t) => {
  const fault = { file: 'test/mutants/fault.ts', text: 'Consequence of', replacement: '', why: '' };
  t.strictSame(problemsOf(ROOT, { ...fault, tests: ['test/moved.test.ts'], checks: ['99'] }, CHECKS), [
    'test/mutants/fault.ts: test/moved.test.ts does not exist',
    'test/mutants/fault.ts: no conformance check is called 99',
  ]);
  t.strictSame(problemsOf(ROOT, fault, CHECKS), [
    'test/mutants/fault.ts: nothing is named that would detect it',
  ]);
});
