import { useFormatter } from 'use-intl';

/** Day and time of day in the reader's own time zone. */
export function Moment({ at }: { at: string }) {
  const format = useFormatter();
  if (at === '') return null;
  return (
    <time dateTime={at}>{format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'short' })}</time>
  );
}
