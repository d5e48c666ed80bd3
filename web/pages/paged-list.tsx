import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import { LoadMore } from '../features/plugins/load-more.tsx';
import { QueryError } from '../features/plugins/query-error.tsx';
import { Skeleton } from '../ui/skeleton/skeleton.tsx';
import styles from './paged-list.module.css';

type Whole = Pick<UseInfiniteQueryResult, 'error' | 'isFetching' | 'refetch'> & { data: unknown };
type Pages = Pick<
  UseInfiniteQueryResult,
  'fetchNextPage' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError'
>;

type Props = {
  /** Read at once, or page by page. */
  query: Whole & Partial<Pages>;
  isEmpty: boolean;
  /** What stands there when there is nothing. */
  empty: ReactNode;
  /** Places of what is on its way; one large one when not said. */
  places?: number;
  children: ReactNode;
};

/** A list with all that can be in its place: loading, failure, nothing there; and below it the way to more. */
export function PagedList({ query, isEmpty, empty, places = 1, children }: Props) {
  const { data, error, isFetching, hasNextPage = false, isFetchingNextPage = false } = query;
  const { refetch, fetchNextPage, isFetchNextPageError = false } = query;
  const more = useCallback(() => void fetchNextPage?.({ cancelRefetch: false }), [fetchNextPage]);
  if (data === undefined)
    return error ? (
      <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />
    ) : (
      <div className={styles.places} aria-busy="true">
        {Array.from({ length: places }, (_, place) => (
          <Skeleton key={place} shape="block" className={places === 1 ? styles.whole : styles.place} />
        ))}
      </div>
    );
  if (isEmpty && !hasNextPage) return empty;
  return (
    <>
      {children}
      {isFetchNextPageError && error && <QueryError error={error} busy={isFetchingNextPage} onRetry={more} />}
      {hasNextPage && !isFetchNextPageError && <LoadMore busy={isFetchingNextPage} automatic onMore={more} />}
    </>
  );
}
