import { useInfiniteQuery } from '@tanstack/react-query';
import FlagIcon from 'lucide-react/icons/flag';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import type { Report, ReportState } from '../../../../shared/entities/site.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';
import { ListTotal } from '../../../layout/list-total.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { PagedList } from '../../paged-list.tsx';
import { PluginThumb } from '../../plugin-thumb.tsx';
import { DateTime } from '../frame/date-time.tsx';
import { screenPath } from '../frame/screens.ts';
import { UserLabel } from '../frame/user-label.tsx';
import { DecideReport } from './decide-report.tsx';
import { ProfileReports } from './profile-reports.tsx';
import { ReportedCollections } from './reported-collections.tsx';
import styles from './reports-screen.module.css';
import { VerifiedPublishers } from './verified-publishers.tsx';

const STATES = ['open', 'accepted', 'dismissed'] as const satisfies readonly ReportState[];

/** Users' reports and their decisions; with `plugin_key` in the URL, those of one plugin. */
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
      {pluginKey === null && (
        <>
          <ProfileReports />
          <ReportedCollections />
          <VerifiedPublishers />
        </>
      )}
      {chosen && <DecideReport report={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

/** Says that the list is filtered by plugin, with a link to all. */
function OnePlugin({ name }: { name: string }) {
  const t = useTranslations('reports');
  return (
    <div className={styles.narrowed}>
      <p>{t('about_one', { name })}</p>
      <Link className={buttonClass({ variant: 'outline', size: 's' })} to={screenPath('reports')}>
        {t('show_all')}
      </Link>
    </div>
  );
}

/** Severity of each reason. */
const GRAVITY = {
  malicious: 'negative',
  infringing: 'warning',
  offensive: 'warning',
  misleading: 'warning',
  broken: 'neutral',
  other: 'neutral',
} as const;
const TONES = { open: 'info', accepted: 'neutral', dismissed: 'neutral' } as const;

type Props = { report: Report; onDecide: () => void };

function ReportCard({ report, onDecide }: Props) {
  const t = useTranslations('reports');
  const { plugin_key, plugin_name, is_hidden, kind, reason, reporter, created_at } = report;
  const { state, decision, warning } = report;
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <PluginThumb plugin={{ ...report, name: plugin_name }} />
        <Link className={styles.plugin} to={pluginPath(plugin_key)}>
          {plugin_name}
        </Link>
        <Badge tone={GRAVITY[kind]}>{t(`kind_${kind}`)}</Badge>
        <Badge tone={TONES[state]} dot>
          {t(`badge_${state}`)}
        </Badge>
        {is_hidden && <Badge>{t('hidden')}</Badge>}
      </div>
      <div className={styles.facts}>
        <UserLabel user={reporter} />
        <DateTime at={created_at} />
      </div>
      <p className={styles.reason}>{reason}</p>
      {state === 'open' ? (
        <div className={styles.actions}>
          <Button size="s" variant="primary" onClick={onDecide}>
            {t('decide')}
          </Button>
        </div>
      ) : (
        <div className={styles.decision}>
          <Message label={t('to_reporter')} words={decision ?? t('no_words')} />
          {warning !== null && <Message label={t('to_publisher')} words={warning} />}
          <div className={styles.facts}>
            {report.decided_by && <UserLabel user={report.decided_by} />}
            {report.decided_at && <DateTime at={report.decided_at} />}
          </div>
        </div>
      )}
    </li>
  );
}

function Message({ label, words }: { label: string; words: string }) {
  return (
    <div>
      <p className={styles.label}>{label}</p>
      <p className={styles.words}>{words}</p>
    </div>
  );
}
