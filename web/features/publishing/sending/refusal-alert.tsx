import { useFormatter, useTranslations } from 'use-intl';
import { FormAlert } from './form-alert.tsx';
import type { Refusal } from './refusal.ts';

const HOUR = 3600;

/** Why the service has not taken the form; with a limit, when to try again; in its own words where it is not our own. */
export function RefusalAlert({ refusal, at }: { refusal: Refusal; at: number }) {
  const t = useTranslations('publish');
  const format = useFormatter();
  const { text, told, retryAfter = 0 } = refusal;
  const again = at + retryAfter * 1000;
  const time = format.dateTime(again, {
    timeStyle: 'short',
    ...(retryAfter > HOUR ? { dateStyle: 'medium' } : {}),
  });
  return <FormAlert title={told ?? t(text, { time })} />;
}
