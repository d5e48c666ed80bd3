import { useInfiniteQuery } from '@tanstack/react-query';
import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useFormatter, useTranslations } from 'use-intl';
import type { OtherReport, OwnReport } from '../../../shared/entities/site.ts';
import type { DataFor } from '../../api/client.ts';
import { infiniteQueryOptionsOf } from '../../api/queries.ts';
import { collectionPath } from '../../features/collections/collections-queries.ts';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import { publisherPath } from '../../features/publishers/index.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { FramedRow, FramedRows } from '../../ui/framed-rows/framed-rows.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { PagedList } from '../paged-list.tsx';
import { PluginThumb } from '../plugin-thumb.tsx';
import styles from './installed.module.css';

const TONES = { open: 'warning', accepted: 'positive', dismissed: 'neutral' } as const;

/** The viewer's reports and the administrators' responses. */
export function ReportsPanel() {
  const t = useTranslations('myPlugins');
  const query = useInfiniteQuery(infiniteQueryOptionsOf('listOwnReports', { with_others: true }));
  const reports = query.data?.pages.flatMap(newestFirst) ?? [];
  return (
    <PagedList
      query={query}
      skeletons={3}
      isEmpty={reports.length === 0}
      empty={
        <Notice
          icon={<CircleAlertIcon size={22} />}
          title={t('reports_empty_title')}
          text={t('reports_empty_text')}
        />
      }
    >
      <FramedRows>
        {reports.map((report) =>
          'subject' in report ? (
            <OtherRow key={`${report.subject} ${report.id}`} report={report} />
          ) : (
            <PluginRow key={report.id} report={report} />
          ),
        )}
      </FramedRows>
    </PagedList>
  );
}

/** The reports of a page; the service has cut both of its lists at the same time. */
function newestFirst({ report_list, other_list = [] }: DataFor<'listOwnReports'>) {
  return [...report_list, ...other_list].toSorted(
    (a, b) => Date.parse(b.created_at) - Date.parse(a.created_at),
  );
}

function PluginRow({ report }: { report: OwnReport }) {
  const t = useTranslations('myPlugins');
  const { plugin_key, plugin_name, decision } = report;
  return (
    <Row
      report={report}
      picture={<PluginThumb plugin={{ ...report, name: plugin_name }} />}
      title={<Link to={pluginPath(plugin_key)}>{plugin_name}</Link>}
    >
      {decision !== null && <p className={styles.note}>{t('report_decision', { decision })}</p>}
    </Row>
  );
}

const PATHS = { publisher: publisherPath, collection: collectionPath };

function OtherRow({ report }: { report: OtherReport }) {
  const t = useTranslations('myPlugins');
  const { subject, key, name } = report;
  const shown = name === '' ? t(`report_${subject}_gone`) : name;
  return (
    <Row
      report={report}
      kind={t(`report_of_${subject}`)}
      title={key === '' ? shown : <Link to={PATHS[subject](key)}>{shown}</Link>}
    />
  );
}

type RowProps = {
  report: Pick<OwnReport, 'reason' | 'state' | 'created_at'>;
  picture?: ReactNode;
  title: ReactNode;
  /** What was reported, if it is no plugin. */
  kind?: string;
  children?: ReactNode;
};

function Row({ report: { reason, state, created_at }, picture, title, kind, children }: RowProps) {
  const t = useTranslations('myPlugins');
  const format = useFormatter();
  return (
    <FramedRow>
      {picture}
      <div className={styles.texts}>
        <div className={styles.title}>
          <h2 className={styles.name}>{title}</h2>
          <Badge tone={TONES[state]} dot>
            {t(`report_${state}`)}
          </Badge>
        </div>
        <p>{reason}</p>
        <p className={styles.meta}>
          {kind !== undefined && <span>{kind}</span>}
          {created_at !== '' && <span>{format.dateTime(new Date(created_at), { dateStyle: 'medium' })}</span>}
        </p>
        {children}
      </div>
    </FramedRow>
  );
}
