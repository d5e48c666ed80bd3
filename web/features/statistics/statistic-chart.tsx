import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useFormatter, useTranslations } from 'use-intl';
import type { DailyCounter, DayNumbers } from './day-charts.tsx';
import styles from './statistics.module.css';

const HEIGHT = 180;
/** A day that is not over yet would look like a fall. */
const DASHES = '4 4';
const PERCENT = { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' } as const;

const LOOK = {
  type: 'monotone',
  stroke: 'var(--brand)',
  strokeWidth: 2,
  fill: 'var(--brand-soft)',
  activeDot: false,
  tooltipType: 'none',
  isAnimationActive: false,
} as const;

/** The number of pending submissions, and that of active installs, are levels, not flows: their days don't add up. */
const LEVELS: ReadonlySet<DailyCounter> = new Set(['waiting', 'active']);

type Props = {
  counter: DailyCounter;
  /** Oldest first; the last one is not over yet. */
  days: readonly DayNumbers[];
  /** Total of the same number of days before. */
  before?: number | undefined;
};

/** One counter over time. The table below the charts has the same numbers. */
export function StatisticChart({ counter, days, before }: Props) {
  const t = useTranslations('overview');
  const format = useFormatter();
  const dayOf = (day: string): string =>
    format.dateTime(new Date(`${day}T00:00:00Z`), { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const today = days.at(-1);
  const last = today?.[counter] ?? 0;
  const yesterday = days.at(-2);
  const over = (numbers: DayNumbers) => (numbers === today ? null : (numbers[counter] ?? 0));
  const soFar = (numbers: DayNumbers) =>
    numbers === today || numbers === yesterday ? (numbers[counter] ?? 0) : null;
  const titleOf = (day: string): string =>
    day === today?.day ? t('day_so_far', { day: dayOf(day) }) : dayOf(day);
  const headline = LEVELS.has(counter) ? last : days.reduce((sum, day) => sum + (day[counter] ?? 0), 0);
  return (
    <figure className={styles.chart}>
      <figcaption>
        <span>{t(counter)}</span>
        <strong>{format.number(headline)}</strong>
        {before !== undefined && (
          <span className={styles.change}>
            {before > 0 && format.number(headline / before - 1, PERCENT)}
            <span>{t('previous', { count: before })}</span>
          </span>
        )}
      </figcaption>
      <div aria-hidden="true">
        <ResponsiveContainer width="100%" height={HEIGHT}>
          <AreaChart
            data={[...days]}
            margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
            accessibilityLayer={false}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="day"
              tickFormatter={dayOf}
              minTickGap={32}
              tickLine={false}
              axisLine={{ stroke: 'var(--line-strong)' }}
              tick={{ fill: 'var(--text-3)', fontSize: 12 }}
            />
            <YAxis
              width="auto"
              allowDecimals={false}
              tickLine={false}
              axisLine={false}
              tick={{ fill: 'var(--text-3)', fontSize: 12 }}
              tickFormatter={(value: number) => format.number(value, { notation: 'compact' })}
            />
            <Tooltip
              isAnimationActive={false}
              labelFormatter={(day) => titleOf(String(day))}
              formatter={(value) => [format.number(Number(value)), t(counter)]}
              contentStyle={{
                background: 'var(--raised)',
                border: '1px solid var(--line-strong)',
                borderRadius: 'var(--radius-m)',
              }}
              itemStyle={{ color: 'var(--text)' }}
            />
            <Area dataKey={over} {...LOOK} />
            <Area dataKey={soFar} {...LOOK} strokeDasharray={DASHES} fillOpacity={0.3} />
            {/* Says the number of a day once in the tooltip, also where both meet. */}
            <Area
              dataKey={counter}
              stroke="none"
              fill="none"
              activeDot={{ fill: 'var(--brand)' }}
              isAnimationActive={false}
            />
          </AreaChart>
        </ResponsiveContainer>
      </div>
    </figure>
  );
}
