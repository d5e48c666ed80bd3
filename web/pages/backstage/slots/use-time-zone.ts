import { useMemo } from 'react';
import { useSite } from '../../../api/site-context.ts';

/** The reader's time zone as it is called, with its present distance to UTC: "Europe/Berlin (GMT+1)". */
export function useTimeZone(): string {
  const { language } = useSite();
  return useMemo(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const parts = new Intl.DateTimeFormat(language, { timeZoneName: 'shortOffset' }).formatToParts();
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return `${timeZone} (${offset})`;
  }, [language]);
}
