import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Operation } from '../../../../shared/contract.ts';
import { queryKeyOf } from '../../../api/queries.ts';
import { useOperation } from '../../../api/use-operation.ts';

export type Sorted = {
  list: Operation;
  /** Field of the list's response with the rows. */
  rows: string;
  save:
    | 'orderBanners'
    | 'orderHelpArticles'
    | 'orderHelpCategories'
    | 'orderManagedCollections'
    | 'orderMarks'
    | 'orderTags'
    | 'orderWorks';
};

type Data = Readonly<Record<string, readonly { id: number }[]>>;

/** Reorders all or some rows of a list: optimistic, rolled back on failure, refetched after the last. */
export function useSaveOrder({ list, rows, save }: Sorted) {
  const t = useTranslations('common');
  const queryClient = useQueryClient();
  const key = queryKeyOf(list, {});
  return useOperation(save, (ids: number[]) => ({ ids }), {
    done: t('ordered'),
    failsIn: 'toast',
    failed: t('order_failed'),
    mutationKey: [save],
    scope: { id: save },
    onMutate: async (ids) => {
      await queryClient.cancelQueries({ queryKey: key });
      const before = queryClient.getQueryData<Data>(key);
      queryClient.setQueryData<Data>(key, before && { ...before, [rows]: inOrder(before[rows] ?? [], ids) });
      return { before };
    },
    onError: (_error, _ids, context) => void queryClient.setQueryData(key, context?.before),
  });
}

/** Rows without a new position keep theirs. */
function inOrder<R extends { id: number }>(rows: readonly R[], ids: readonly number[]): R[] {
  const moved = ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
  return rows.map((row) => (ids.includes(row.id) ? (moved.shift() ?? row) : row));
}
