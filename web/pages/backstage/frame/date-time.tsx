import { useFormatter } from 'use-intl';
import { useTimeAgo } from '../../../ui/use-time-ago.ts';

/** Date and time in the reader's time zone. */
export function DateTime({ at }: { at: string }) {
  const format = useFormatter();
  if (at === '') return null;
  return (
    <time dateTime={at}>{format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'short' })}</time>
  );
}

/** Elapsed time, with the date and time as its title. */
export function ElapsedTime({ at }: { at: string }) {
  const format = useFormatter();
  const ago = useTimeAgo();
  if (at === '') return null;
  return (
    <time dateTime={at} title={format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'short' })}>
      {ago(at)}
    </time>
  );
}
