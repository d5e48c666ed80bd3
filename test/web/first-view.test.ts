import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import {
  boundaryHydrated,
  pauseUntilHydrated,
  registerBoundary,
  wholeFirstView,
} from '../../web/api/first-view.ts';

/** Whether code that waits for hydration may continue. */
async function isWhole(): Promise<boolean> {
  return Promise.race([wholeFirstView().then(() => true), turn(false)]);
}

t.test('without server rendering nothing waits', async (t) => {
  t.ok(await isWhole());
});

t.test('a page without boundaries is complete once it is hydrated', async (t) => {
  pauseUntilHydrated();
  t.notOk(await isWhole());
  boundaryHydrated();
  t.ok(await isWhole());
});

t.test('a page is complete once the last boundary is hydrated or unmounted', async (t) => {
  pauseUntilHydrated();
  const [header, page, list] = [{}, {}, {}];
  registerBoundary(header);
  registerBoundary(page);
  boundaryHydrated();
  boundaryHydrated(header);
  registerBoundary(list);
  boundaryHydrated(page);
  t.notOk(await isWhole(), 'the list came with the page');
  boundaryHydrated(list);
  t.ok(await isWhole());
  registerBoundary({});
  t.ok(await isWhole(), 'later sections hold nothing up');
});
