import { useSyncExternalStore } from 'react';
import { useFormatter, useNow } from 'use-intl';
import { timeAgo } from '../../shared/time-ago.ts';

const SECOND = 1000;
/** Milliseconds between updates of the text. */
const MINUTE = 60 * SECOND;

function eachMinute(onChange: () => void): () => void {
  const timer = setInterval(onChange, MINUTE);
  return () => clearInterval(timer);
}

/** Whole seconds: two reads within one render agree. */
const readClock = (): number => Math.floor(Date.now() / SECOND) * SECOND;

/**
 * Texts of elapsed times in months, days, hours or minutes ("5 minutes ago"), kept up to date on screen (R 3.16). The
 * document's time counts during hydration only: a page may be opened long after it.
 */
export function useTimeAgo(): (at: string) => string {
  const format = useFormatter();
  const documentTime = useNow().getTime();
  const now = useSyncExternalStore(eachMinute, readClock, () => documentTime);
  return (at) => {
    const { unit, milliseconds } = timeAgo(now - Date.parse(at));
    return format.relativeTime(now - milliseconds, { now, unit });
  };
}
