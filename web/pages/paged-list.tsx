import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import { LoadMore } from '../features/plugins/load-more.tsx';
import { QueryError } from '../features/plugins/query-error.tsx';
import { Skeleton } from '../ui/skeleton/skeleton.tsx';
import styles from './paged-list.module.css';

type SingleQuery = Pick<UseInfiniteQueryResult, 'error' | 'isFetching' | 'refetch'> & { data: unknown };
type Pages = Pick<
  UseInfiniteQueryResult,
  'fetchNextPage' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError'
>;

type Props = {
  /** Loaded at once, or page by page. */
  query: SingleQuery & Partial<Pages>;
  isEmpty: boolean;
  empty: ReactNode;
  /** Skeletons while loading; by default one large one. */
  skeletons?: number;
  children: ReactNode;
};

/** A list with its loading, error and empty states, and a button for more. */
export function PagedList({ query, isEmpty, empty, skeletons = 1, children }: Props) {
  const { data, error, isFetching, hasNextPage = false, isFetchingNextPage = false } = query;
  const { refetch, fetchNextPage, isFetchNextPageError = false } = query;
  const more = useCallback(() => void fetchNextPage?.({ cancelRefetch: false }), [fetchNextPage]);
  if (data === undefined)
    return error ? (
      <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />
    ) : (
      <div className={styles.places} aria-busy="true">
        {Array.from({ length: skeletons }, (_, index) => (
          <Skeleton key={index} shape="block" className={skeletons === 1 ? styles.whole : styles.place} />
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
