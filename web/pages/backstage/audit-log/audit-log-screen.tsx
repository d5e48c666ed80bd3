import { useInfiniteQuery } from '@tanstack/react-query';
import DownloadIcon from 'lucide-react/icons/download';
import HistoryIcon from 'lucide-react/icons/history';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import { download } from '../../../api/download.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Select } from '../../../ui/select/select.tsx';
import { PagedList } from '../../paged-list.tsx';
import { useDownload } from '../frame/use-download.ts';
import styles from './audit-log-screen.module.css';
import { TARGET_KINDS, type TargetKind, TrailTable } from './audit-log-table.tsx';

const EXPORT = 'audit-log.csv';

/** The audit log (actor, action, time and reason), optionally filtered by kind of object. */
export function AuditLogScreen() {
  const t = useTranslations('auditLog');
  const file = useDownload('exportAuditLog');
  const [kind, setKind] = useState<TargetKind | 'all'>('all');
  const query = useInfiniteQuery(
    infiniteQueryOptionsOf('listAuditLog', {
      limit: BACKSTAGE_PAGE_SIZE,
      ...(kind !== 'all' && { target_kind: kind }),
    }),
  );
  const entries = query.data?.pages.flatMap((page) => page.entry_list) ?? [];
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <Button
            variant="outline"
            busy={file.isPending}
            onClick={() => file.mutate({ name: EXPORT, fetchIt: () => download('exportAuditLog', {}) })}
          >
            <DownloadIcon />
            {t('export')}
          </Button>
        }
      />
      <Select
        className={styles.filter}
        label={t('kind')}
        value={kind}
        onChange={setKind}
        options={[
          { value: 'all', label: t('kind_all') },
          ...TARGET_KINDS.map((value) => ({ value, label: t(`kind_${value}`) })),
        ]}
      />
      <PagedList
        query={query}
        isEmpty={entries.length === 0}
        empty={<Notice icon={<HistoryIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <TrailTable
          caption={t('title')}
          entries={entries}
          busy={query.isFetching && !query.isFetchingNextPage}
        />
      </PagedList>
    </>
  );
}
