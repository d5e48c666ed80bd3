import { useFormatter } from 'use-intl';
import { useTimeAgo } from '../../ui/use-time-ago.ts';

/** Elapsed time in months, days, hours or minutes (R 3.16); nothing where unknown. */
export function TimeAgo({ at }: { at: string }) {
  const format = useFormatter();
  const ago = useTimeAgo();
  if (at === '') return null;
  return (
    <time dateTime={at} title={format.dateTime(new Date(at), { dateStyle: 'long' })} suppressHydrationWarning>
      {ago(at)}
    </time>
  );
}
