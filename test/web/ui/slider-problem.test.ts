import t from 'tap';
import { sliderProblem, validScale } from '../../../web/ui/slider/slider-problem.ts';

t.test('an invalid scale is reported with a message for developers', async (t) => {
  t.equal(sliderProblem({ min: 5, max: 1, value: 3 }), 'min should not be greater than max');
  t.equal(sliderProblem({ min: 5, max: 9, value: 3 }), 'value should not be smaller than min');
  t.equal(sliderProblem({ min: 0, max: 2, value: 3 }), 'value should not be greater than max');
  for (const value of [0, 50, 100]) t.equal(sliderProblem({ min: 0, max: 100, value }), undefined);
  t.equal(sliderProblem({ min: 4, max: 4, value: 4 }), undefined);
});

t.test('an invalid scale is corrected', async (t) => {
  t.strictSame(validScale({ min: 5, max: 1, value: 9 }), { min: 1, max: 5, value: 5 });
  t.strictSame(validScale({ min: 5, max: 9, value: 3 }), { min: 5, max: 9, value: 5 });
  t.strictSame(validScale({ min: 0, max: 100, value: 40 }), { min: 0, max: 100, value: 40 });
});
