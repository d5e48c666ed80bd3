import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import { LoadMore } from './load-more.tsx';
import { isUnfiltered, type PluginFilter } from './plugin-filter.ts';
import { PluginGrid } from './plugin-grid.tsx';
import { pluginsQuery } from './plugin-queries.ts';
import styles from './plugin-results.module.css';
import { PluginsMissing } from './plugins-missing.tsx';
import { QueryError } from './query-error.tsx';
import { ResultCount } from './result-count.tsx';
import { ResultTitle } from './result-title.tsx';
import { SortChoice } from './sort-choice.tsx';

/**
 * The plugins of a filter: heading, number, order, cards, and more of them while the visitor scrolls.
 * What was searched for comes best match first, so there is no order to choose.
 */
export function PluginResults({ filter }: { filter: PluginFilter }) {
  const list = useTranslations('list');
  const {
    data,
    error,
    isFetching,
    isFetchingNextPage,
    isFetchNextPageError,
    hasNextPage,
    fetchNextPage,
    refetch,
  } = useInfiniteQuery(pluginsQuery(filter));
  const more = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]);
  const plugins = data?.pages.flatMap((page) => page.plugin_list) ?? [];
  const first = data?.pages[0];
  return (
    <section aria-labelledby="results">
      <div className={styles.head}>
        <h2 id="results" className={styles.title}>
          <ResultTitle filter={filter} />
        </h2>
        <ResultCount page={first} />
        {filter.keyword === '' && (
          <div className={styles.sort}>
            <SortChoice filter={filter} />
          </div>
        )}
      </div>
      {error && !data ? (
        error.reason === 'TAG_NOT_FOUND' ? (
          <PluginsMissing filter={filter} />
        ) : (
          <QueryError error={error} busy={isFetching} onRetry={refetch} />
        )
      ) : first && plugins.length === 0 ? (
        <PluginsMissing filter={filter} />
      ) : (
        <>
          <PluginGrid plugins={plugins} firstRow={isUnfiltered(filter) ? 'soon' : 'first'} loading={!data} />
          {isFetchNextPageError && error && (
            <div className={styles.failed}>
              <QueryError error={error} busy={isFetchingNextPage} onRetry={more} />
            </div>
          )}
          {hasNextPage && !isFetchNextPageError && (
            <LoadMore busy={isFetchingNextPage} automatic onMore={more} />
          )}
          {data && !hasNextPage && <p className={styles.end}>{list('end')}</p>}
          <p className={styles.unseen} role="status">
            {data && data.pages.length > 1 && list('shown', { count: plugins.length })}
          </p>
        </>
      )}
    </section>
  );
}
