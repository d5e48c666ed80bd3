import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Operation } from '../../../../shared/contract.ts';
import { call } from '../../../api/client.ts';
import { failureText } from '../../../api/error-text.ts';
import { queryKeyOf } from '../../../api/queries.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';

const LISTS = {
  article: { key: queryKeyOf('listManagedArticles', {}), field: 'article_list', order: 'orderHelpArticles' },
  category: {
    key: queryKeyOf('listManagedCategories', {}),
    field: 'category_list',
    order: 'orderHelpCategories',
  },
} as const;

/** Lists that a change of either kind shows in. */
const CHANGED: readonly Operation[] = ['listManagedArticles', 'listManagedCategories', 'readManagedArticle'];

/** Reads again what a change of the help center shows in. */
export function useHelpRefresh(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(CHANGED.map((operation) => queryClient.invalidateQueries({ queryKey: [operation] })));
}

/** Puts articles or categories in a new order: shown at once, taken back when it could not be saved. */
export function useOrderHelp(kind: keyof typeof LISTS) {
  const t = useTranslations('helpAdmin');
  const queryClient = useQueryClient();
  const toast = useToast();
  const { key, field, order } = LISTS[kind];
  type Data = { [list in typeof field]?: { id: number }[] };
  return useMutation({
    scope: { id: `help-${kind}-order` },
    mutationFn: (ids: number[]) => call(order, { ids }),
    onMutate: async (ids) => {
      await queryClient.cancelQueries({ queryKey: key });
      const before = queryClient.getQueryData<Data>(key);
      const rows = before?.[field] ?? [];
      const next = ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
      queryClient.setQueryData<Data>(key, {
        [field]: rows.map((row) => (ids.includes(row.id) ? (next.shift() ?? row) : row)),
      });
      return { before };
    },
    onSuccess: () => toast({ kind: 'success', text: t('ordered') }),
    onError: (error, _ids, context) => {
      queryClient.setQueryData(key, context?.before);
      toast({ kind: 'failure', text: failureText(t('order_failed'), error) });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  });
}
