import t from 'tap';
import { cappedTotal } from '../../shared/paging.ts';

const totals: [counted: number, total: number, isEstimated: boolean][] = [
  [0, 0, false],
  [9999, 9999, false],
  [10_000, 10_000, false],
  [10_001, 10_000, true],
];
for (const [counted, total, total_estimated] of totals) {
  t.test(`${counted} counted`, async (t) => {
    t.strictSame(cappedTotal(counted), { total, total_estimated });
  });
}
