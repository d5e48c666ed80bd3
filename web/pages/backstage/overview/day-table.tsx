import { useFormatter, useTranslations } from 'use-intl';
import type { DayFigures } from '../../../../shared/entities/backstage.ts';
import { Table } from '../../../ui/table/table.tsx';
import { FIGURES } from './figures.ts';
import styles from './overview-screen.module.css';

/** The numbers behind the charts, newest day first. */
export function DayTable({ days }: { days: readonly DayFigures[] }) {
  const t = useTranslations('overview');
  const format = useFormatter();
  return (
    <details className={styles.numbers}>
      <summary>{t('numbers')}</summary>
      <Table caption={t('numbers')} hideCaption>
        <thead>
          <tr>
            <th scope="col">{t('day')}</th>
            {FIGURES.map((figure) => (
              <th key={figure} scope="col">
                {t(figure)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...days].reverse().map((figures) => (
            <tr key={figures.day}>
              <th scope="row">
                {format.dateTime(new Date(`${figures.day}T00:00:00Z`), {
                  dateStyle: 'medium',
                  timeZone: 'UTC',
                })}
              </th>
              {FIGURES.map((figure) => (
                <td key={figure} data-label={t(figure)}>
                  {format.number(figures[figure])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </details>
  );
}
