import {
  hashKey,
  type QueryFilters,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { ALL_TAG_ID } from '../../../shared/constants.ts';
import { invalidate } from '../../api/invalidate.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { SESSION_KEY } from '../../api/query-client.ts';
import type { PluginFilter } from '../../features/plugins/plugin-filter.ts';
import { pluginsQuery } from '../../features/plugins/plugin-queries.ts';
import { Spinner } from '../../ui/spinner/spinner.tsx';
import styles from './home-page.module.css';

const REFRESH_MS = 3000;
const PROGRESS = queryOptionsOf('listPlugins', { tag_id: ALL_TAG_ID, keyword: '', limit: 1 });
const PROGRESS_HASH = hashKey(PROGRESS.queryKey);
/** What a visitor sees of the catalogue. */
const BESIDE_PROGRESS: QueryFilters = {
  predicate: ({ queryKey, queryHash }) => queryKey[0] !== SESSION_KEY[0] && queryHash !== PROGRESS_HASH,
};

/** While a bundle adds plugins: how many of how many. It goes by itself, and the lists are read again. */
export function FillingNote({ filter }: { filter: PluginFilter }) {
  const t = useTranslations('home');
  const { data: list } = useInfiniteQuery(pluginsQuery(filter));
  const first = list?.pages[0]?.filling;
  const isRunning = first !== undefined;
  const { data: latest, dataUpdatedAt } = useQuery({
    ...PROGRESS,
    enabled: isRunning,
    refetchInterval: REFRESH_MS,
  });
  const queryClient = useQueryClient();
  // Each time it is asked: a list may have been cached a moment before the end.
  const overAt = isRunning && latest && !latest.filling ? dataUpdatedAt : 0;
  useEffect(() => {
    if (overAt > 0) void invalidate(queryClient, BESIDE_PROGRESS);
  }, [overAt, queryClient]);
  const filling = isRunning && latest ? latest.filling : first;
  if (!filling) return null;
  const { done, total } = filling;
  return (
    <p className={styles.note} role="status">
      <Spinner />
      <span>{t('filling', { done, total })}</span>
    </p>
  );
}
