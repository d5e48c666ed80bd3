import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Lazy } from '../../loading/lazy.tsx';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { Table } from '../../ui/table/table.tsx';
import styles from './statistics.module.css';

const statisticChart = lazyWithRetry(async () => (await import('./statistic-chart.tsx')).StatisticChart);

export type DailyCounter =
  | 'installs'
  | 'active'
  | 'uninstalls'
  | 'downloads'
  | 'views'
  | 'likes'
  | 'publications'
  | 'waiting';
/** `day`: YYYY-MM-DD, in UTC. */
export type DayNumbers = { day: string } & Partial<Record<DailyCounter, number>>;

type DayChartsProps = {
  counters: readonly DailyCounter[];
  /** Oldest first; the last one is not over yet. */
  days: readonly DayNumbers[];
  /** Totals of the same number of days before, for comparison. */
  before?: Partial<Record<DailyCounter, number>>;
};

/** A chart per counter, followed by the same numbers as a table, newest day first. */
export function DayCharts({ counters, days, before }: DayChartsProps) {
  const t = useTranslations('overview');
  const format = useFormatter();
  const today = days.at(-1)?.day;
  const titleOf = (day: string): string => {
    const date = format.dateTime(new Date(`${day}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' });
    return day === today ? t('day_so_far', { day: date }) : date;
  };
  return (
    <>
      <Lazy part={statisticChart} fallback={<Skeleton shape="block" className={styles.loading} />}>
        {(StatisticChart) => (
          <div className={styles.charts}>
            {counters.map((counter) => (
              <StatisticChart key={counter} counter={counter} days={days} before={before?.[counter]} />
            ))}
          </div>
        )}
      </Lazy>
      <details className={styles.numbers}>
        <summary>{t('numbers')}</summary>
        <Table caption={t('numbers')} hideCaption>
          <thead>
            <tr>
              <th scope="col">{t('day')}</th>
              {counters.map((counter) => (
                <th key={counter} scope="col">
                  {t(counter)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((numbers) => (
              <tr key={numbers.day}>
                <th scope="row">{titleOf(numbers.day)}</th>
                {counters.map((counter) => (
                  <td key={counter} data-label={t(counter)}>
                    {format.number(numbers[counter] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </details>
    </>
  );
}

/** Totals that aren't counted per day, side by side. */
export function Totals({ totals }: { totals: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.totals}>
      {totals.map(({ label, value }) => (
        <div key={label} className={styles.total}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
