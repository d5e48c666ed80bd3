import { setImmediate as settled } from 'node:timers/promises';
import t from 'tap';
import { addressOf, locationOf, type PageLocation } from '../../../web/routing/page-location.ts';
import { createRouter } from '../../../web/routing/router.ts';
import type { TabHistory } from '../../../web/routing/tab-history.ts';

const SITE = 'https://square.example';

/** A tab's history in memory. */
function memoryHistory(start: string): TabHistory & { addresses: () => string[] } {
  let entries: PageLocation[] = [locationOf(new URL(start, SITE))];
  let index = 0;
  let moved = (_delta: number | undefined): void => undefined;
  const current = (): PageLocation => entries[index] ?? locationOf(new URL(start, SITE));
  return {
    location: current,
    push: (location) => {
      entries = [...entries.slice(0, index + 1), location];
      index += 1;
    },
    replace: (location) => {
      entries = entries.with(index, location);
    },
    go: (delta) => {
      index += delta;
      moved(delta);
    },
    listen: (tell) => {
      moved = tell;
      return () => undefined;
    },
    addresses: () => entries.map(addressOf),
  };
}

function routerAt(start: string) {
  const history = memoryHistory(start);
  const prepared: string[] = [];
  const waiting: { address: string; signal: AbortSignal; arrive: () => void }[] = [];
  const router = createRouter({
    history,
    first: 'first',
    prepare: (location, signal) => {
      prepared.push(addressOf(location));
      return new Promise((resolve) =>
        waiting.push({ address: addressOf(location), signal, arrive: () => resolve(location.pathname) }),
      );
    },
  });
  const arrive = async (): Promise<void> => {
    waiting.at(-1)?.arrive();
    await settled();
  };
  return { history, router, prepared, waiting, arrive };
}

t.test('a link is followed once its page is there', async (t) => {
  const { history, router, arrive } = routerAt('/plugins/');
  const seen: boolean[] = [];
  const stop = router.subscribe(() => seen.push(router.state().isNavigating));
  router.navigate('/plugins/plugin/a?x=1#y', { state: { from: 'list' } });
  t.equal(router.state().page, 'first', 'the page stays meanwhile');
  t.strictSame(history.addresses(), ['/plugins/']);
  await arrive();
  t.match(router.state(), { page: '/plugins/plugin/a', type: 'PUSH', isNavigating: false });
  t.match(router.state().location, { search: '?x=1', hash: '#y', state: { from: 'list' } });
  t.not(router.state().location.key, 'default');
  t.strictSame(history.addresses(), ['/plugins/', '/plugins/plugin/a?x=1#y']);
  t.strictSame(seen, [true, false]);
  stop();
  router.navigate('?x=2', { replace: true, preventScrollReset: true });
  await arrive();
  t.strictSame(history.addresses(), ['/plugins/', '/plugins/plugin/a?x=2'], 'on the page itself');
  t.match(router.state(), { type: 'REPLACE', preventScrollReset: true });
  t.equal(seen.length, 2, 'who stopped listening hears nothing');
});

t.test('a second navigation gives up the first', async (t) => {
  const { history, router, waiting } = routerAt('/plugins/');
  router.navigate('/a');
  router.navigate('/b');
  const [first, second] = waiting;
  t.ok(first?.signal.aborted);
  t.notOk(second?.signal.aborted);
  second?.arrive();
  await settled();
  first?.arrive();
  await settled();
  t.equal(router.state().location.pathname, '/b');
  t.strictSame(history.addresses(), ['/plugins/', '/b']);
});

t.test('where only the fragment changes nothing is fetched', async (t) => {
  const { router, prepared } = routerAt('/plugins/protocol');
  router.navigate('#scope');
  await settled();
  t.equal(router.state().location.hash, '#scope');
  router.navigate('/plugins/protocol#end');
  await settled();
  t.equal(router.state().location.hash, '#end');
  t.strictSame(prepared, []);
  router.navigate('/plugins/protocol');
  t.strictSame(prepared, ['/plugins/protocol'], 'without one the page is gone to anew');
});

t.test('the browser moves the router', async (t) => {
  const { router, arrive } = routerAt('/plugins/');
  const left: string[] = [];
  router.onLeave(({ pathname }) => left.push(pathname));
  router.navigate('/a');
  await arrive();
  router.navigate(-1);
  await arrive();
  t.match(router.state(), { type: 'POP', page: '/plugins/', location: { pathname: '/plugins/' } });
  t.strictSame(left, ['/plugins/', '/a']);
});

t.test('a page is kept until its visitor lets go of it', async (t) => {
  const { history, router, prepared, arrive } = routerAt('/plugins/');
  router.navigate('/form');
  await arrive();
  const asked: { to: string; proceed: () => void }[] = [];
  const stop = router.block((_from, to, proceed) => {
    asked.push({ to: to.pathname, proceed });
    return true;
  });
  router.navigate('/a');
  router.navigate(-1);
  t.strictSame(
    asked.map(({ to }) => to),
    ['/a', '/plugins/'],
  );
  t.strictSame(prepared, ['/form'], 'nothing was fetched');
  t.equal(history.location().pathname, '/form', 'the browser is led back');
  asked[1]?.proceed();
  await arrive();
  t.equal(router.state().location.pathname, '/plugins/', 'by the browser');
  router.navigate('/b');
  asked[2]?.proceed();
  await arrive();
  t.equal(router.state().location.pathname, '/b', 'by a link');
  stop();
  router.navigate('/c');
  await arrive();
  t.equal(router.state().location.pathname, '/c');
  t.equal(asked.length, 3);
});

t.test('an address of another site never becomes an entry', async (t) => {
  const { history, router, arrive } = routerAt('/plugins/');
  router.navigate('//evil.example/x');
  await arrive();
  t.strictSame(history.addresses(), ['/plugins/', '/x']);
});
