import t from 'tap';
import { collectEverything } from '../../server/trim-heap.ts';

const MEBIBYTE = 2 ** 20;

t.test('unused memory is released, and `gc` is not exposed afterwards', (t) => {
  let rubbish: number[][] | undefined = Array.from({ length: 64 }, (_item, n) =>
    Array.from({ length: MEBIBYTE / 8 }, (_number, index) => index * 1.5 + n),
  );
  const full = process.memoryUsage();
  t.equal(rubbish.length, 64);
  rubbish = undefined;
  collectEverything();
  const left = process.memoryUsage();
  t.ok(full.heapUsed - left.heapUsed > 48 * MEBIBYTE, `${full.heapUsed} became ${left.heapUsed}`);
  t.ok(full.heapTotal - left.heapTotal > 48 * MEBIBYTE, `${full.heapTotal} became ${left.heapTotal}`);
  t.equal(globalThis.gc, undefined);
  t.end();
});
