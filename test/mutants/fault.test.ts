import t from 'tap';
import { planted } from './fault.ts';

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
