import type { ReactNode } from 'react';
import type { ApiError } from '../../../api/api-error.ts';
import { LoadMore } from '../../../features/plugins/load-more.tsx';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import styles from './paged-list.module.css';

type Paged = {
  data: unknown;
  error: ApiError | null;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  hasNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
};

type Props = {
  query: Paged;
  isEmpty: boolean;
  /** What stands there when there is nothing. */
  empty: ReactNode;
  children: ReactNode;
};

/** A list that is read page by page: loading, failure, nothing there, and the way to more. */
export function PagedList({ query, isEmpty, empty, children }: Props) {
  const { data, error, isFetching, isFetchingNextPage, hasNextPage } = query;
  if (data === undefined) {
    return error ? (
      <QueryError error={error} busy={isFetching} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton shape="block" className={styles.loading} />
    );
  }
  if (isEmpty) return empty;
  return (
    <>
      {children}
      {hasNextPage && (
        <LoadMore
          busy={isFetchingNextPage}
          automatic={error === null}
          onMore={() => void query.fetchNextPage()}
        />
      )}
    </>
  );
}
