import { QueryClient } from '@tanstack/react-query';
import t from 'tap';
import { routeLoaders } from '../../web/api/page-loader.ts';
import { isConnectionLost, noteUnanswered } from '../../web/loading/connection.ts';

const browser = new EventTarget();
const navigator = { onLine: true };
Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
Object.assign(globalThis, { document: {}, addEventListener: browser.addEventListener.bind(browser) });

function setOnline(onLine: boolean): void {
  navigator.onLine = onLine;
  if (onLine) browser.dispatchEvent(new Event('online'));
}

/** Opens a page whose reads are these, one after the other. @returns its data and the number of reads */
async function open(...reads: (() => string)[]): Promise<[data: unknown, count: number]> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let count = 0;
  const queryFn = (): string => {
    count += 1;
    return reads[count - 1]?.() ?? 'found';
  };
  const load = routeLoaders(
    client,
    Number.POSITIVE_INFINITY,
  )((queries) => [queries.fetchQuery({ queryKey: ['page'], queryFn })]);
  const url = new URL('http://localhost/plugins/');
  await load({ request: new Request(url), url, params: {}, pattern: '/plugins/', context: undefined });
  const data = client.getQueryData(['page']);
  client.clear();
  return [data, count];
}

function failWithoutNetwork(): never {
  setOnline(false);
  noteUnanswered();
  throw new Error('no network');
}

t.test('without a network a page is read again when there is one', async (t) => {
  const opened = open(failWithoutNetwork);
  await new Promise((resolve) => setImmediate(resolve));
  t.ok(isConnectionLost());
  setOnline(true);
  t.strictSame(await opened, ['found', 2]);
});

t.test('so it is if the network is back before the failure is handled', async (t) => {
  const read = (): never => {
    try {
      return failWithoutNetwork();
    } finally {
      setOnline(true);
    }
  };
  t.strictSame(await open(read, read), ['found', 3]);
});

t.test('a service that fails is not asked again', async (t) => {
  const fail = (): never => {
    throw new Error('503');
  };
  t.strictSame(await open(fail), [undefined, 1]);
});
