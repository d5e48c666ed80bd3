import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import type { Report, ReportState } from '../../../../shared/entities/site.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { ListTotal } from '../../../layout/list-total.tsx';
import { FlagIcon } from '../../../ui/icon/backstage-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { PagedList } from '../../paged-list.tsx';
import { DecideReport } from './decide-report.tsx';
import { OnePlugin } from './one-plugin.tsx';
import { ReportCard } from './report-card.tsx';
import styles from './reports-screen.module.css';

const STATES = ['open', 'accepted', 'dismissed'] as const satisfies readonly ReportState[];

/** What users have reported, and what becomes of it; with `plugin_key` in the address, of one plugin alone. */
export function ReportsScreen() {
  const t = useTranslations('reports');
  const [state, setState] = useState<ReportState>('open');
  const [chosen, setChosen] = useState<Report>();
  const [address] = useSearchParams();
  const pluginKey = address.get('plugin_key');
  const query = useInfiniteQuery(
    infiniteQueryOptionsOf('listReports', {
      state,
      limit: BACKSTAGE_PAGE_SIZE,
      ...(pluginKey !== null && { plugin_key: pluginKey }),
    }),
  );
  const reports = query.data?.pages.flatMap((page) => page.report_list) ?? [];
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      {pluginKey !== null && <OnePlugin name={reports[0]?.plugin_name ?? pluginKey} />}
      <Tabs
        label={t('states')}
        value={state}
        onChange={setState}
        tabs={STATES.map((id) => ({
          id,
          label: t(`state_${id}`),
          count: id === state && query.data?.pages[0] ? <ListTotal of={query.data.pages[0]} /> : undefined,
        }))}
        panel="reports"
      />
      <div id="reports" className={styles.panel} role="tabpanel" aria-label={t(`state_${state}`)}>
        <PagedList
          query={query}
          isEmpty={reports.length === 0}
          empty={<Notice icon={<FlagIcon size={22} />} title={t(`empty_${state}`)} text={t('empty_text')} />}
        >
          <ul className={styles.list} aria-label={t('title')}>
            {reports.map((report) => (
              <ReportCard key={report.id} report={report} onDecide={() => setChosen(report)} />
            ))}
          </ul>
        </PagedList>
      </div>
      {chosen && <DecideReport report={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}
