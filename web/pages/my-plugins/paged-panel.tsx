import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import { LoadMore } from '../../features/plugins/load-more.tsx';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './my-plugins.module.css';

type PagedPanelProps = {
  query: UseInfiniteQueryResult;
  isEmpty: boolean;
  /** What stands where the list would stand. */
  empty: ReactNode;
  /** The list itself. */
  children: ReactNode;
};

const PLACES = [1, 2, 3];

/** A list that is read page by page, with all that can be in its place. */
export function PagedPanel({ query, isEmpty, empty, children }: PagedPanelProps) {
  const { data, error, isFetching, isFetchingNextPage, isFetchNextPageError, hasNextPage } = query;
  const { fetchNextPage, refetch } = query;
  const more = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]);
  if (error && !data) return <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <div className={styles.list} aria-busy="true">
        {PLACES.map((place) => (
          <Skeleton key={place} shape="block" className={styles.place} />
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
