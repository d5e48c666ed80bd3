import t from 'tap';
import { stepped, typedNumber } from '../../../web/ui/number-input/number-value.ts';

const RANGE = { min: 0, max: 10, step: 1 };

t.test('a typed number is valid within its range and on its steps', async (t) => {
  for (const [text, value] of [
    ['0', 0],
    ['10', 10],
    [' 7 ', 7],
    ['+7', 7],
    ['007', 7],
    ['7.0', 7],
    ['７', 7],
  ] as const) {
    t.equal(typedNumber(text, RANGE), value, `“${text}”`);
  }
  const refused = [
    '',
    ' ',
    '-1',
    '11',
    '2.5',
    '1e1',
    '0x1',
    'NaN',
    'Infinity',
    '7 8',
    '7,0',
    '9'.repeat(400),
  ];
  for (const text of refused) t.equal(typedNumber(text, RANGE), undefined, `“${text.slice(0, 20)}”`);
});

t.test('steps start at the minimum and may be fractions', async (t) => {
  const odd = { min: 1, max: 9, step: 2 };
  t.equal(typedNumber('3', odd), 3);
  t.equal(typedNumber('4', odd), undefined);
  const fractions = { min: -1, max: 1, step: 0.1 };
  t.equal(typedNumber('0.3', fractions), 0.3);
  t.equal(typedNumber('-0.7', fractions), -0.7);
  t.equal(typedNumber('0.35', fractions), undefined);
});

t.test('a step is limited to the range', async (t) => {
  t.equal(stepped(9, 1, RANGE), 10);
  t.equal(stepped(10, 1, RANGE), 10);
  t.equal(stepped(0, -1, RANGE), 0);
  t.equal(stepped(0.1, 1, { min: 0, max: 1, step: 0.2 }), 0.3, 'without rounding errors');
});
