import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button/button.tsx';
import { RefreshIcon } from '../../ui/icon/action-icons.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { recommendedQuery } from './plugin-queries.ts';
import { QueryError } from './query-error.tsx';
import styles from './recommended.module.css';
import { RecommendedTile } from './recommended-tile.tsx';

const SKELETON_KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** The recommended plugins, with a button that shows others. */
export function Recommended() {
  const t = useTranslations('home');
  const [page, setPage] = useState(0);
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    ...recommendedQuery(page),
    placeholderData: keepPreviousData,
  });
  if (data?.plugin_list.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="recommended">
      <div className={styles.head}>
        <h2 id="recommended" className={styles.title}>
          {t('recommended')}
        </h2>
        {data && data.page_count > 1 && (
          <Button
            variant="quiet"
            size="s"
            busy={isPlaceholderData}
            onClick={() => setPage((page + 1) % data.page_count)}
          >
            {!isPlaceholderData && <RefreshIcon size={15} />}
            {t('recommended_refresh')}
          </Button>
        )}
      </div>
      {error && !data ? (
        <QueryError error={error} busy={isFetching} onRetry={refetch} />
      ) : (
        <ul className={styles.tiles} aria-busy={!data}>
          {data?.plugin_list.map((plugin) => (
            <li key={plugin.plugin_key}>
              <RecommendedTile plugin={plugin} />
            </li>
          )) ??
            SKELETON_KEYS.map((key) => (
              <li key={key} aria-hidden="true">
                <Skeleton shape="block" className={styles.place} />
              </li>
            ))}
        </ul>
      )}
    </section>
  );
}
