import { QueryClient } from '@tanstack/react-query';
import t from 'tap';
import { contract, type Operation } from '../../shared/contract.ts';
import { AFFECTED, invalidateAfter } from '../../web/api/affected-queries.ts';

const isRead = (operation: string): boolean =>
  Object.entries(contract).some(([name, { method }]) => name === operation && method === 'GET');

t.test('a change is followed by reads', async (t) => {
  for (const [operation, affected] of Object.entries(AFFECTED)) {
    t.notOk(isRead(operation), `${operation} changes something`);
    for (const read of affected) t.ok(isRead(read), `${read}, after ${operation}, reads`);
    t.equal(new Set(affected).size, affected.length, `${operation} names each once`);
  }
});

t.test('after a change its queries are out of date, with any payload, and no others', async (t) => {
  const client = new QueryClient();
  const keys = [
    ['listManagedTags', {}],
    ['listTags', { lang: 'en-US' }],
    ['readTagPage', { tag_id: 1 }],
    ['listManagedMarks', {}],
    ['readSession', {}],
  ];
  for (const key of keys) client.setQueryData(key, {});
  await invalidateAfter(client, 'mergeTags');
  const outdated = client
    .getQueryCache()
    .getAll()
    .flatMap(({ queryKey, state }) => (state.isInvalidated ? [queryKey[0]] : []));
  t.strictSame(outdated, ['listManagedTags', 'listTags', 'readTagPage']);
  client.clear();
});

t.test('an operation without an entry changes no query', async (t) => {
  const client = new QueryClient();
  const operation: Operation = 'unsubscribe';
  client.setQueryData(['listTags', {}], {});
  await invalidateAfter(client, operation);
  t.equal(client.getQueryState(['listTags', {}])?.isInvalidated, false);
  client.clear();
});
