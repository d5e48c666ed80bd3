import { useQueryClient } from '@tanstack/react-query';
import type { Operation } from '../../../../shared/contract.ts';

/** Lists that a change of either kind shows in. */
const CHANGED: readonly Operation[] = ['listManagedArticles', 'listManagedCategories', 'readManagedArticle'];

/** Reads again what a change of the help center shows in. */
export function useHelpRefresh(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(CHANGED.map((operation) => queryClient.invalidateQueries({ queryKey: [operation] })));
}
