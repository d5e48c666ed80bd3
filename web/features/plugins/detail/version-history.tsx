import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { PluginVersion } from '../../../../shared/entities/plugin.ts';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { versionsQuery } from '../plugin-queries.ts';
import { QueryError } from '../query-error.tsx';
import styles from './version-history.module.css';
import { VersionList } from './version-list.tsx';

const SHOWN_AT_FIRST = 2;

type VersionHistoryProps = {
  pluginKey: string;
  /** Beside the heading: link to the version controls, for those with permission. */
  action?: ReactNode;
  controls?: (version: PluginVersion) => ReactNode;
  shownAtFirst?: number;
};

/** The versions of a plugin with their notes, newest first; nothing where the service has no history. */
export function VersionHistory({
  pluginKey,
  action,
  controls,
  shownAtFirst = SHOWN_AT_FIRST,
}: VersionHistoryProps) {
  const t = useTranslations('plugin');
  const { data, error, isFetching, refetch } = useQuery(versionsQuery(pluginKey));
  if (!data && error?.status === 404) return null;
  return (
    <section aria-labelledby="versions">
      <div className={styles.head}>
        <h2 id="versions" className={styles.heading}>
          {t('versions')}
        </h2>
        {action}
      </div>
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={refetch} />}
      {!data && !error && <Skeleton shape="block" className={styles.place} />}
      {data && <VersionList versions={data.version_list} shownAtFirst={shownAtFirst} controls={controls} />}
    </section>
  );
}
