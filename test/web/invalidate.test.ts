import { QueryClient, QueryObserver } from '@tanstack/react-query';
import t from 'tap';
import { invalidate } from '../../web/api/invalidate.ts';

const LIST = ['listInstalledPlugins', {}];

/** A list whose reads are answered with what there was when they began, the first only once it is let go. */
function slowList(client: QueryClient) {
  const server = { plugins: 0, reads: 0 };
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
  const queryFn = async (): Promise<number> => {
    const { plugins } = server;
    server.reads += 1;
    if (server.reads === 1) await isLetGo;
    return plugins;
  };
  return { server, letGo, options: { queryKey: LIST, queryFn, staleTime: 60_000 }, client };
}

t.test('a first read that began before a change is followed by another', async (t) => {
  const client = new QueryClient();
  const { server, letGo, options } = slowList(client);
  const stop = new QueryObserver(client, options).subscribe(() => undefined);
  server.plugins = 2;
  const isDone = invalidate(client, { queryKey: LIST });
  letGo();
  await isDone;
  t.strictSame([client.getQueryData(LIST), server.reads], [2, 2]);
  stop();
  client.clear();
});

t.test('of a list that nobody sees yet, it is out of date', async (t) => {
  const client = new QueryClient();
  const { letGo, options } = slowList(client);
  const read = client.fetchQuery(options);
  const isDone = invalidate(client, { queryKey: LIST });
  letGo();
  t.equal(await read, 0, 'who waits for it gets it');
  await isDone;
  t.equal(client.getQueryState(LIST)?.isInvalidated, true);
  client.clear();
});

t.test('a read that fails does not fail the change', async (t) => {
  const client = new QueryClient();
  const read = client.fetchQuery({
    queryKey: LIST,
    queryFn: () => Promise.reject(new Error('offline')),
    retry: false,
  });
  const isDone = invalidate(client, { queryKey: LIST });
  await t.rejects(read, { message: 'offline' });
  await t.resolves(isDone);
  client.clear();
});
