import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import {
  boundaryHydrated,
  firstViewHydrated,
  pauseUntilHydrated,
  registerBoundary,
} from '../../web/api/first-view.ts';

/** Whether code that waits for hydration may continue. */
async function isHydrated(): Promise<boolean> {
  return Promise.race([firstViewHydrated().then(() => true), turn(false)]);
}

t.test('without server rendering nothing waits', async (t) => {
  t.ok(await isHydrated());
});

t.test('a page without boundaries is complete once it is hydrated', async (t) => {
  pauseUntilHydrated();
  t.notOk(await isHydrated());
  boundaryHydrated();
  t.ok(await isHydrated());
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
  t.notOk(await isHydrated(), 'the list is part of the page');
  boundaryHydrated(list);
  t.ok(await isHydrated());
  registerBoundary({});
  t.ok(await isHydrated(), 'later boundaries delay nothing');
});
