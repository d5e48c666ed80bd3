import t from 'tap';
import { showProblems } from '../../../web/ui/form-problems.ts';

type Values = { email: string; password: string };

t.test('errors are shown at their fields, and the first such field is focused', async (t) => {
  const shown: [string, unknown, unknown][] = [];
  showProblems<Values>(
    (field, error, options) => void shown.push([field, error.message, options?.shouldFocus]),
    [
      { field: 'root', text: 'Nothing was saved.' },
      { field: 'email', text: 'This address is taken.' },
      { field: 'password', text: 'This password is too short.' },
    ],
  );
  t.strictSame(shown, [
    ['root', 'Nothing was saved.', false],
    ['email', 'This address is taken.', true],
    ['password', 'This password is too short.', false],
  ]);
});
