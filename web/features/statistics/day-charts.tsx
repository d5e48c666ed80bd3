import { lazy, type ReactNode, Suspense } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { Table } from '../../ui/table/table.tsx';
import styles from './statistics.module.css';

const FigureChart = lazy(async () => ({ default: (await import('./figure-chart.tsx')).FigureChart }));

/** Counters per day. */
export type Figure = 'installs' | 'uninstalls' | 'views' | 'likes' | 'publications' | 'waiting';
/** `day`: YYYY-MM-DD, in UTC. */
export type DayNumbers = { day: string } & Partial<Record<Figure, number>>;

type DayChartsProps = {
  figures: readonly Figure[];
  days: readonly DayNumbers[];
  /** Totals of the same number of days before, for comparison. */
  before?: Partial<Record<Figure, number>>;
};

/** A chart per counter, followed by the same numbers as a table, newest day first. */
export function DayCharts({ figures, days, before }: DayChartsProps) {
  const t = useTranslations('overview');
  const format = useFormatter();
  return (
    <>
      <Suspense fallback={<Skeleton shape="block" className={styles.loading} />}>
        <div className={styles.charts}>
          {figures.map((figure) => (
            <FigureChart key={figure} figure={figure} days={days} before={before?.[figure]} />
          ))}
        </div>
      </Suspense>
      <details className={styles.numbers}>
        <summary>{t('numbers')}</summary>
        <Table caption={t('numbers')} hideCaption>
          <thead>
            <tr>
              <th scope="col">{t('day')}</th>
              {figures.map((figure) => (
                <th key={figure} scope="col">
                  {t(figure)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((numbers) => (
              <tr key={numbers.day}>
                <th scope="row">
                  {format.dateTime(new Date(`${numbers.day}T00:00:00Z`), {
                    dateStyle: 'medium',
                    timeZone: 'UTC',
                  })}
                </th>
                {figures.map((figure) => (
                  <td key={figure} data-label={t(figure)}>
                    {format.number(numbers[figure] ?? 0)}
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
