import { useEffect, useState } from 'react';
import { useFormatter } from 'use-intl';

const MINUTE = 60_000;

/** How long ago something was, kept up to date while it is looked at. */
export function TimeSince({ at }: { at: string }) {
  const format = useFormatter();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  const date = new Date(at);
  return (
    <time dateTime={at} title={format.dateTime(date, { dateStyle: 'medium', timeStyle: 'short' })}>
      {format.relativeTime(date, Math.max(now, date.getTime()))}
    </time>
  );
}
