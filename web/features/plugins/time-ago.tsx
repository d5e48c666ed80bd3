import { useFormatter } from 'use-intl';
import { useSite } from '../../api/site-context.ts';

const UNITS = [
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago something was, in months, days, hours or minutes (specification section 9). */
export function TimeAgo({ at }: { at: string }) {
  const format = useFormatter();
  const site = useSite();
  const date = new Date(at);
  // What has come about since the page was made is not in the future.
  const now = Math.max(site.now, date.getTime());
  const age = now - date.getTime();
  const [unit] = UNITS.find(([, milliseconds]) => age >= milliseconds) ?? UNITS[3];
  return (
    <time dateTime={at} title={format.dateTime(date, { dateStyle: 'long' })} suppressHydrationWarning>
      {format.relativeTime(date, { now, unit })}
    </time>
  );
}
