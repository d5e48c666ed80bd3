import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useFormatter, useTranslations } from 'use-intl';
import { MISSED_DAYS, MISSED_SHOWN_FROM } from '../../../shared/constants.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { DayCharts, Totals } from '../../features/statistics/day-charts.tsx';
import { PageHeader } from '../../ui/page-header/page-header.tsx';
import { SegmentedChoice } from '../../ui/segmented/segmented-choice.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { Table } from '../../ui/table/table.tsx';
import { screenPath } from './frame/screens.ts';
import styles from './overview-screen.module.css';

const SPANS = [7, 30, 90] as const;
const COUNTERS = ['installs', 'uninstalls', 'views', 'likes', 'publications', 'waiting'] as const;

/** Statistics over time, of all plugins or of the one in the URL. */
export function OverviewScreen() {
  const t = useTranslations('overview');
  const format = useFormatter();
  const [query] = useSearchParams();
  const pluginKey = query.get('plugin_key');
  const [days, setDays] = useState<(typeof SPANS)[number]>(30);
  const { data, error, isFetching, refetch } = useQuery({
    ...queryOptionsOf('readStatistics', { days, ...(pluginKey && { plugin_key: pluginKey }) }),
    placeholderData: (previous) => previous,
  });
  const totals = data && [
    ...(pluginKey ? [] : [{ label: t('total_plugins'), value: data.totals.plugins }]),
    { label: t('total_installs'), value: data.totals.installs },
    { label: t('total_views'), value: data.totals.views },
    { label: t('total_likes'), value: data.totals.likes },
    { label: t('total_waiting'), value: data.totals.waiting, to: screenPath('audit-list') },
    { label: t('total_reports'), value: data.totals.open_reports, to: screenPath('reports') },
  ];
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={pluginKey ? t('of_one', { key: pluginKey }) : t('of_all')}
        actions={
          <SegmentedChoice
            label={t('span')}
            options={SPANS.map((value) => ({ value, label: t('days', { days: value }) }))}
            value={days}
            onChange={setDays}
          />
        }
      />
      {pluginKey && (
        <p className={styles.back}>
          <Link to={screenPath('overview')}>{t('show_all')}</Link>
        </p>
      )}
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton shape="block" className={styles.loading} />}
      {data && totals && (
        <div aria-busy={isFetching || undefined}>
          <Totals
            totals={totals.map(({ label, value, to }) => ({
              label,
              value: to ? <Link to={to}>{format.number(value)}</Link> : format.number(value),
            }))}
          />
          <DayCharts counters={COUNTERS} days={data.days} />
        </div>
      )}
      {!pluginKey && <MissedSearches />}
    </>
  );
}

/** What people search for and do not find: what to publish next, or which words a listing lacks. */
function MissedSearches() {
  const t = useTranslations('overview');
  const format = useFormatter();
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('listMissedSearches', {}));
  const missed = data?.missed_list ?? [];
  return (
    <section className={styles.missed} aria-labelledby="missed">
      <h2 id="missed" className={styles.heading}>
        {t('missed')}
      </h2>
      <p className={styles.lead}>{t('missed_lead', { count: MISSED_SHOWN_FROM, days: MISSED_DAYS })}</p>
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton shape="block" />}
      {data && missed.length === 0 && <p>{t('missed_none')}</p>}
      {missed.length > 0 && (
        <Table caption={t('missed')} hideCaption busy={isFetching}>
          <thead>
            <tr>
              <th scope="col">{t('missed_keyword')}</th>
              <th scope="col">{t('missed_count')}</th>
              <th scope="col">{t('missed_day')}</th>
            </tr>
          </thead>
          <tbody>
            {missed.map(({ keyword, count, last_day }) => (
              <tr key={keyword}>
                <td data-label={t('missed_keyword')}>{keyword}</td>
                <td data-label={t('missed_count')}>{format.number(count)}</td>
                <td data-label={t('missed_day')}>
                  <time dateTime={last_day}>
                    {format.dateTime(new Date(last_day), { dateStyle: 'medium', timeZone: 'UTC' })}
                  </time>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}
