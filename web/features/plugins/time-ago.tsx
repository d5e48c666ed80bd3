import { useFormatter, useNow } from 'use-intl';
import { timeAgo } from '../../../shared/time-ago.ts';

/** Milliseconds between updates of the text. */
const MINUTE = 60_000;

/** Elapsed time in months, days, hours or minutes (R 3.16); nothing where unknown. */
export function TimeAgo({ at }: { at: string }) {
  const format = useFormatter();
  const now = useNow({ updateInterval: MINUTE }).getTime();
  if (at === '') return null;
  const date = new Date(at);
  const { unit, milliseconds } = timeAgo(now - date.getTime());
  return (
    <time dateTime={at} title={format.dateTime(date, { dateStyle: 'long' })} suppressHydrationWarning>
      {format.relativeTime(now - milliseconds, { now, unit })}
    </time>
  );
}
