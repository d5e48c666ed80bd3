import type { InvalidateQueryFilters, Query, QueryClient } from '@tanstack/react-query';

/**
 * Marks queries as out of date, and reads those again that are shown. TanStack Query lets the first read of a query run to its
 * end, though it may have been answered before the change: what it found is out of date as well.
 */
export async function invalidate(client: QueryClient, filters: InvalidateQueryFilters): Promise<void> {
  const isFirstRead = ({ state }: Query): boolean => state.data === undefined;
  const firstReads = client
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching' })
    .filter(isFirstRead);
  await client.invalidateQueries(filters);
  await Promise.all(
    firstReads.map(async ({ queryKey, promise }) => {
      await Promise.allSettled([promise]);
      await client.invalidateQueries({ queryKey, exact: true });
    }),
  );
}
