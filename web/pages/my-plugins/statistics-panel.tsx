import { useQuery } from '@tanstack/react-query';
import ChartColumnIcon from 'lucide-react/icons/chart-column';
import { type ReactNode, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { queryOptionsOf } from '../../api/queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { DayCharts, Totals } from '../../features/statistics/day-charts.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { SegmentedChoice } from '../../ui/segmented/segmented-choice.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { InsightsPanel } from './insights/insights-panel.tsx';
import styles from './my-plugins.module.css';

const SPANS = [7, 30, 90] as const;
const COUNTERS = ['views', 'installs', 'active', 'uninstalls', 'downloads', 'likes'] as const;

type StatisticsPanelProps = {
  /** One plugin; without it all of the viewer's plugins. */
  pluginKey?: string | undefined;
  /** An optional part of a page, hidden where there are no statistics or the viewer has no access. */
  isOptional?: boolean;
  /** Beside the period select. */
  children: ReactNode;
};

/** Daily statistics of the viewer's plugins. An older community service may have none. */
export function StatisticsPanel({ pluginKey, isOptional = false, children }: StatisticsPanelProps) {
  const t = useTranslations('overview');
  const pageTexts = useTranslations('myPlugins');
  const format = useFormatter();
  const [days, setDays] = useState<(typeof SPANS)[number]>(30);
  const { data, error, isFetching, refetch } = useQuery({
    ...queryOptionsOf('readOwnStatistics', { days, ...(pluginKey && { plugin_key: pluginKey }) }),
    placeholderData: (previous) => (previous?.plugin_key === (pluginKey ?? null) ? previous : undefined),
  });
  if (!data && isOptional && (error?.status === 404 || error?.status === 403)) return null;
  if (error?.status === 404)
    return (
      <Notice
        icon={<ChartColumnIcon size={22} />}
        title={pageTexts('statistics_missing_title')}
        text={pageTexts('statistics_missing_text')}
      />
    );
  return (
    <div className={styles.statistics}>
      <div className={styles.statisticsHead}>
        {children}
        <SegmentedChoice
          label={t('span')}
          options={SPANS.map((value) => ({ value, label: t('days', { days: value }) }))}
          value={days}
          onChange={setDays}
        />
      </div>
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton shape="block" className={styles.loading} />}
      {data && (
        <div aria-busy={isFetching || undefined}>
          <Totals
            totals={[
              ...(pluginKey
                ? []
                : [{ label: t('total_plugins'), value: format.number(data.totals.plugins) }]),
              { label: t('total_views'), value: format.number(data.totals.views) },
              { label: t('total_installs'), value: format.number(data.totals.installs) },
              ...(typeof data.totals.active === 'number'
                ? [{ label: t('total_active'), value: format.number(data.totals.active) }]
                : []),
              { label: t('total_likes'), value: format.number(data.totals.likes) },
            ]}
          />
          <DayCharts counters={COUNTERS} days={data.days} before={data.before} />
        </div>
      )}
      {data && pluginKey && <InsightsPanel pluginKey={pluginKey} days={days} />}
    </div>
  );
}
