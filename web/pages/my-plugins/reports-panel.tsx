import { useInfiniteQuery } from '@tanstack/react-query';
import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import { Link } from 'react-router-dom';
import { useFormatter, useTranslations } from 'use-intl';
import type { OwnReport } from '../../../shared/entities/site.ts';
import { infiniteQueryOptionsOf } from '../../api/queries.ts';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
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
  const query = useInfiniteQuery(infiniteQueryOptionsOf('listOwnReports', {}));
  const reports = query.data?.pages.flatMap((page) => page.report_list) ?? [];
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
        {reports.map((report) => (
          <Row key={report.id} report={report} />
        ))}
      </FramedRows>
    </PagedList>
  );
}

function Row({ report }: { report: OwnReport }) {
  const t = useTranslations('myPlugins');
  const format = useFormatter();
  const { plugin_key, plugin_name, reason, state, decision, created_at } = report;
  return (
    <FramedRow>
      <PluginThumb plugin={{ ...report, name: plugin_name }} />
      <div className={styles.texts}>
        <div className={styles.title}>
          <h2 className={styles.name}>
            <Link to={pluginPath(plugin_key)}>{plugin_name}</Link>
          </h2>
          <Badge tone={TONES[state]} dot>
            {t(`report_${state}`)}
          </Badge>
        </div>
        <p>{reason}</p>
        {created_at !== '' && (
          <p className={styles.meta}>
            <span>{format.dateTime(new Date(created_at), { dateStyle: 'medium' })}</span>
          </p>
        )}
        {decision !== null && <p className={styles.note}>{t('report_decision', { decision })}</p>}
      </div>
    </FramedRow>
  );
}
