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
import { queryOptionsOf } from '../../api/queries.ts';
import { SESSION_KEY } from '../../api/query-client.ts';
import type { PluginFilter } from '../../features/plugins/plugin-filter.ts';
import { pluginsQuery } from '../../features/plugins/plugin-queries.ts';
import { useIsAdmin } from '../../features/session/use-session.ts';
import { Spinner } from '../../ui/spinner/spinner.tsx';
import styles from './filling-note.module.css';

const REFRESH_MS = 3000;
const PROGRESS = queryOptionsOf('listPlugins', { tag_id: ALL_TAG_ID, keyword: '', limit: 1 });
const PROGRESS_HASH = hashKey(PROGRESS.queryKey);
/** What a visitor sees of the catalogue. */
const BESIDE_PROGRESS: QueryFilters = {
  predicate: ({ queryKey, queryHash }) => queryKey[0] !== SESSION_KEY[0] && queryHash !== PROGRESS_HASH,
};

/** While a demo or a bundle adds plugins: how many of how many. It goes by itself, and the lists are read again. */
export function FillingNote({ filter }: { filter: PluginFilter }) {
  const t = useTranslations('home');
  const isAdmin = useIsAdmin();
  const { data: list } = useInfiniteQuery(pluginsQuery(filter));
  const first = list?.pages[0]?.filling;
  const isRunning = first !== undefined && !first.is_stopped;
  const { data: latest, dataUpdatedAt } = useQuery({
    ...PROGRESS,
    enabled: isRunning,
    refetchInterval: REFRESH_MS,
  });
  const queryClient = useQueryClient();
  // Each time it is asked: a list may have been cached a moment before the end.
  const overAt = isRunning && latest && !latest.filling ? dataUpdatedAt : 0;
  useEffect(() => {
    if (overAt > 0) void queryClient.invalidateQueries(BESIDE_PROGRESS);
  }, [overAt, queryClient]);
  const filling = isRunning && latest ? latest.filling : first;
  if (!filling || (filling.is_stopped && !isAdmin)) return null;
  const { done, failed, total, is_stopped } = filling;
  return (
    <p className={styles.note} role="status">
      {!is_stopped && <Spinner />}
      <span>
        {t(is_stopped ? 'filling_stopped' : 'filling', { done, total })}
        {isAdmin && failed > 0 && ` · ${t('filling_failed', { count: failed })}`}
      </span>
    </p>
  );
}
