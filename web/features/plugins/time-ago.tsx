import { useFormatter } from 'use-intl';
import { timeAgo } from '../../../shared/time-ago.ts';
import { useSite } from '../../api/site-context.ts';

/** How long ago something was, in months, days, hours or minutes (specification section 9); nothing where it is not known. */
export function TimeAgo({ at }: { at: string }) {
  const format = useFormatter();
  const { now } = useSite();
  if (at === '') return null;
  const date = new Date(at);
  const { unit, milliseconds } = timeAgo(now - date.getTime());
  return (
    <time dateTime={at} title={format.dateTime(date, { dateStyle: 'long' })} suppressHydrationWarning>
      {format.relativeTime(now - milliseconds, { now, unit })}
    </time>
  );
}
