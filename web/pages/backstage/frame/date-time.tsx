import { useEffect, useState } from 'react';
import { useFormatter } from 'use-intl';
import { timeAgo } from '../../../../shared/time-ago.ts';

/** Date and time in the reader's time zone. */
export function DateTime({ at }: { at: string }) {
  const format = useFormatter();
  if (at === '') return null;
  return (
    <time dateTime={at}>{format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'short' })}</time>
  );
}

const MINUTE = 60_000;

/** Elapsed time, kept up to date on screen. */
export function ElapsedTime({ at }: { at: string }) {
  const format = useFormatter();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  if (at === '') return null;
  const date = new Date(at);
  const { unit, milliseconds } = timeAgo(now - date.getTime());
  return (
    <time dateTime={at} title={format.dateTime(date, { dateStyle: 'medium', timeStyle: 'short' })}>
      {format.relativeTime(now - milliseconds, { now, unit })}
    </time>
  );
}
