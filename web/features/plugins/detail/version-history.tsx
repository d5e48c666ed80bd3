import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { ChevronDownIcon } from '../../../ui/icon/arrow-icons.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { versionsQuery } from '../plugin-queries.ts';
import { QueryError } from '../query-error.tsx';
import { VersionEntry } from './version-entry.tsx';
import styles from './version-history.module.css';

const SHOWN_AT_FIRST = 2;

/** The versions of a plugin with their notes, newest first. */
export function VersionHistory({ pluginKey }: { pluginKey: string }) {
  const t = useTranslations('plugin');
  const { data, error, isFetching, refetch } = useQuery(versionsQuery(pluginKey));
  const [whole, setWhole] = useState(false);
  const versions = data?.version_list ?? [];
  const hidden = versions.length - SHOWN_AT_FIRST;
  return (
    <section aria-labelledby="versions">
      <h2 id="versions" className={styles.heading}>
        {t('versions')}
      </h2>
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={refetch} />}
      {!data && !error && <Skeleton shape="block" className={styles.place} />}
      <ol id="version-list" className={styles.list}>
        {versions.slice(0, whole ? undefined : SHOWN_AT_FIRST).map((version) => (
          <VersionEntry key={version.version} version={version} />
        ))}
      </ol>
      {hidden > 0 && (
        <Button
          variant="outline"
          size="s"
          className={styles.more}
          aria-expanded={whole}
          aria-controls="version-list"
          onClick={() => setWhole(!whole)}
        >
          {whole ? t('versions_fewer') : t('versions_more', { count: hidden })}
          <ChevronDownIcon size={14} className={whole ? styles.up : undefined} />
        </Button>
      )}
    </section>
  );
}
