import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { SORT_LATEST, SORT_POPULAR } from '../../../shared/constants.ts';
import type { Publisher } from '../../../shared/entities/publisher.ts';
import { LoadMore } from '../../features/plugins/load-more.tsx';
import { PluginGrid } from '../../features/plugins/plugin-grid.tsx';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { publisherPath, publisherPluginsQuery, publisherSortOf } from '../../features/publishers/index.ts';
import { Segmented, segmentClass } from '../../ui/segmented/segmented.tsx';
import styles from './publisher-page.module.css';

const SORTS = [
  { sort: SORT_POPULAR, text: 'sort_popular', query: '' },
  { sort: SORT_LATEST, text: 'sort_latest', query: `?sort=${SORT_LATEST}` },
] as const;

/** All published plugins of a publisher, in the order of the address. */
export function PublisherPlugins({ publisher: { handle, nick_name } }: { publisher: Publisher }) {
  const t = useTranslations('publisher');
  const home = useTranslations('home');
  const [query] = useSearchParams();
  const chosen = publisherSortOf(query);
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(publisherPluginsQuery(handle, chosen));
  const more = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]);
  const plugins = data?.pages.flatMap((page) => page.plugin_list) ?? [];
  return (
    <section className={styles.list} aria-labelledby="plugins">
      <div className={styles.listHead}>
        <h2 id="plugins" className={styles.listTitle}>
          {t('list', { publisher: nick_name })}
        </h2>
        <Segmented label={home('sort')}>
          {SORTS.map(({ sort, text, query }) => (
            <Link
              key={sort}
              to={publisherPath(handle) + query}
              replace
              preventScrollReset
              className={segmentClass(sort === chosen)}
              aria-current={sort === chosen ? 'true' : undefined}
            >
              {home(text)}
            </Link>
          ))}
        </Segmented>
      </div>
      {(data || !error) && <PluginGrid plugins={plugins} firstRow="soon" loading={!data} />}
      {error && <QueryError error={error} busy={isFetching} onRetry={data ? more : refetch} />}
      {hasNextPage && !error && <LoadMore busy={isFetchingNextPage} automatic onMore={more} />}
    </section>
  );
}
