import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { INSIGHT_PEOPLE_MIN, KEPT_WEEKS } from '../../../../shared/constants.ts';
import type { Insights } from '../../../../shared/entities/insight.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { Bar } from '../../../features/statistics/bar.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { InsightSection } from './insight-section.tsx';
import styles from './insights.module.css';

/** How one plugin is found and used, for its publisher. An older community service may not know it. */
export function InsightsPanel({ pluginKey, days }: { pluginKey: string; days: number }) {
  const t = useTranslations('insights');
  const { data, error, isFetching, refetch } = useQuery({
    ...queryOptionsOf('readInsights', { plugin_key: pluginKey, days }),
    placeholderData: (previous) => (previous?.plugin_key === pluginKey ? previous : undefined),
  });
  if (!data && error?.status === 404) return null;
  if (!data && error) return <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton shape="block" className={styles.loading} />;
  const { source_list: sources, keyword_list: keywords, version_list: versions, cohort_list: cohorts } = data;
  const count = INSIGHT_PEOPLE_MIN;
  return (
    <div className={styles.sections} aria-busy={isFetching || undefined}>
      <InsightSection
        pluginKey={pluginKey}
        table="sources"
        title={t('sources')}
        lead={t('sources_lead')}
        isEmpty={sources.length === 0}
      >
        <Measured
          name={t('source')}
          columns={[t('views'), t('installs')]}
          rows={sources.map(({ source, views, installs }) => [t(`source_${source}`), views, installs])}
        />
      </InsightSection>
      <InsightSection
        pluginKey={pluginKey}
        table="keywords"
        title={t('keywords')}
        lead={t('keywords_lead', { count })}
        isEmpty={keywords.length === 0}
      >
        <Measured
          name={t('keyword')}
          columns={[t('people')]}
          rows={keywords.map(({ keyword, people }) => [keyword, people])}
        />
      </InsightSection>
      <InsightSection
        pluginKey={pluginKey}
        table="versions"
        title={t('versions')}
        lead={t('versions_lead')}
        isEmpty={versions.length === 0}
      >
        <Measured
          name={t('version')}
          columns={[t('active'), t('uninstalls')]}
          rows={versions.map(({ version, active, uninstalls }) => [version, active, uninstalls])}
        />
      </InsightSection>
      <InsightSection
        pluginKey={pluginKey}
        table="retention"
        title={t('retention')}
        lead={t('retention_lead', { count })}
        isEmpty={cohorts.length === 0}
      >
        <Cohorts cohorts={cohorts} />
      </InsightSection>
    </div>
  );
}

type MeasuredProps = {
  name: string;
  columns: readonly string[];
  /** A name, and its number in each column. */
  rows: readonly (readonly [name: string, ...numbers: number[]])[];
};

/** Names with numbers; a bar shows each beside the greatest of its column. */
function Measured({ name, columns, rows }: MeasuredProps) {
  const format = useFormatter();
  const greatest = columns.map((_, at) => Math.max(1, ...rows.map(([, ...numbers]) => numbers[at] ?? 0)));
  return (
    <>
      <thead>
        <tr>
          {[name, ...columns].map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([title, ...numbers]) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            {columns.map((column, at) => (
              <td key={column} data-label={column}>
                <span className={styles.measured}>
                  {format.number(numbers[at] ?? 0)}
                  <Bar share={(numbers[at] ?? 0) / (greatest[at] ?? 1)} />
                </span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </>
  );
}

/** The installs of each week, and the share that was kept. */
function Cohorts({ cohorts }: { cohorts: Insights['cohort_list'] }) {
  const t = useTranslations('insights');
  const format = useFormatter();
  const weekOf = (week: string) =>
    format.dateTime(new Date(`${week}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <>
      <thead>
        <tr>
          <th scope="col">{t('week')}</th>
          <th scope="col">{t('installs')}</th>
          {KEPT_WEEKS.map((weeks) => (
            <th key={weeks} scope="col">
              {t('kept', { weeks })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {cohorts.map(({ week, installs, ...kept }) => (
          <tr key={week}>
            <th scope="row">{weekOf(week)}</th>
            <td data-label={t('installs')}>{format.number(installs)}</td>
            {KEPT_WEEKS.map((weeks) => (
              <td key={weeks} data-label={t('kept', { weeks })}>
                <Kept count={kept[`kept_${weeks}`]} installs={installs} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </>
  );
}

function Kept({ count, installs }: { count: number | null; installs: number }) {
  const t = useTranslations('insights');
  const format = useFormatter();
  if (count === null) return t('later');
  const share = format.number(count / installs, { style: 'percent', maximumFractionDigits: 0 });
  return (
    <span className={styles.kept}>
      {t('kept_value', { share, count })}
      <Bar share={count / installs} />
    </span>
  );
}
