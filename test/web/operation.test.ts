import { QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { type Context, createElement } from 'react';
import { renderToString } from 'react-dom/server';
import t from 'tap';
import { queryOptionsOf } from '../../web/api/queries.ts';
import { createQueryClient } from '../../web/api/query-client.ts';
import type { ShowToast, ToastMessage } from '../../web/ui/toast/toast-context.ts';
import { until } from '../support/until.ts';
import { webSources, withKeysAsTexts } from './support/sources.ts';

type UseOperation = typeof import('../../web/api/use-operation.ts');

const load = await webSources(t);
const useOperationBy: UseOperation['useOperationBy'] = (await load('/api/use-operation.ts')).useOperationBy;
const ToastContext: Context<ShowToast> = (await load('/ui/toast/toast-context.ts')).ToastContext;
const Texts = await withKeysAsTexts(load);

/** A page that shows the kits, whose reads wait for the test to answer, and its operation that deletes one. */
function page(t: Pick<typeof import('tap').t, 'teardown'>, options: { readsLater?: boolean } = {}) {
  const reads: ((data: unknown) => void)[] = [];
  const toasts: ToastMessage[] = [];
  const client = createQueryClient(() => new Promise((answer) => reads.push(answer)));
  const { queryKey } = queryOptionsOf('listKits', {});
  client.setQueryData(queryKey, { kit_list: [] });
  t.teardown(
    new QueryObserver(client, { queryKey, staleTime: Number.POSITIVE_INFINITY }).subscribe(() => {}),
  );
  t.teardown(() => client.clear());
  let remove: (() => Promise<undefined>) | undefined;
  const Button = () => {
    const { mutateAsync } = useOperationBy('deleteKit', async () => undefined, {
      done: 'Deleted',
      ...options,
    });
    remove = mutateAsync;
    return null;
  };
  const shown = createElement(Texts, {
    children: createElement(
      ToastContext,
      { value: (toast: ToastMessage) => toasts.push(toast) },
      createElement(Button),
    ),
  });
  renderToString(createElement(QueryClientProvider, { client }, shown));
  if (!remove) throw new Error('the button was not rendered');
  return { reads, toasts, remove, client };
}

t.test('people are told of a success once the page shows it', async (t) => {
  const { reads, toasts, remove } = page(t);
  const removed = remove();
  await until(() => reads.length === 1);
  t.strictSame(toasts, []);
  reads[0]?.({ kit_list: [] });
  await removed;
  t.strictSame(toasts, [{ kind: 'success', text: 'Deleted' }]);
});

t.test('where another page follows, nothing waits for what is read again', async (t) => {
  const { reads, toasts, remove } = page(t, { readsLater: true });
  await remove();
  t.strictSame(toasts, [{ kind: 'success', text: 'Deleted' }]);
  t.equal(reads.length, 1);
});
