import { keepPreviousData, useQuery } from '@tanstack/react-query';
import RefreshCwIcon from 'lucide-react/icons/refresh-cw';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button/button.tsx';
import { PluginCard } from './plugin-card.tsx';
import { PluginCardSkeleton } from './plugin-grid.tsx';
import { recommendedQuery } from './plugin-queries.ts';
import { QueryError } from './query-error.tsx';
import styles from './recommended.module.css';

const SKELETON_KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

type RecommendedProps = {
  /** Page of the recommended plugins; `onPage` requests another. */
  page: number;
  onPage: (page: number) => void;
  /** Keys of plugins that are already shown on the page. */
  without: ReadonlySet<string>;
};

/** The recommended plugins in full rows, with a button that shows others. */
export function Recommended({ page, onPage, without }: RecommendedProps) {
  const t = useTranslations('home');
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    ...recommendedQuery(page),
    placeholderData: keepPreviousData,
  });
  const plugins = data?.plugin_list.filter(({ plugin_key }) => !without.has(plugin_key));
  if (plugins?.length === 0) return null;
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
            onClick={() => onPage((page + 1) % data.page_count)}
          >
            {!isPlaceholderData && <RefreshCwIcon size={15} />}
            {t('recommended_refresh')}
          </Button>
        )}
      </div>
      {error && !data ? (
        <QueryError error={error} busy={isFetching} onRetry={refetch} />
      ) : (
        <ul className={styles.cards} aria-busy={!data}>
          {plugins?.map((plugin) => (
            <li key={plugin.plugin_key}>
              <PluginCard plugin={plugin} load={without.size > 0 ? 'later' : 'soon'} />
            </li>
          )) ??
            SKELETON_KEYS.map((key) => (
              <li key={key} aria-hidden="true">
                <PluginCardSkeleton />
              </li>
            ))}
        </ul>
      )}
    </section>
  );
}
