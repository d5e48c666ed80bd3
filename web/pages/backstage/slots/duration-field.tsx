import { DayPicker } from 'react-day-picker';
import { enUS } from 'react-day-picker/locale/en-US';
import { es } from 'react-day-picker/locale/es';
import { ja } from 'react-day-picker/locale/ja';
import { ko } from 'react-day-picker/locale/ko';
import { ru } from 'react-day-picker/locale/ru';
import { zhCN } from 'react-day-picker/locale/zh-CN';
import 'react-day-picker/style.css';
import { useTranslations } from 'use-intl';
import type { Language } from '../../../../shared/languages.ts';
import { useSite } from '../../../api/site-context.ts';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import type { SlotDraft } from './slot-draft.ts';
import styles from './slots-screen.module.css';
import { useTimeZone } from './use-time-zone.ts';

const CALENDARS: Readonly<Record<Language, typeof enUS>> = {
  'zh-CN': zhCN,
  'en-US': enUS,
  'ja-JP': ja,
  'ko-KR': ko,
  'ru-RU': ru,
  'es-ES': es,
};

type Props = { draft: SlotDraft; onChange: (draft: SlotDraft) => void; error: string | undefined };

/** First and last day, and the time of day of each. */
export function DurationField({ draft, onChange, error }: Props) {
  const t = useTranslations('slots');
  const { language } = useSite();
  const zone = useTimeZone();
  const { from, to, fromTime, toTime } = draft;
  return (
    <fieldset className={styles.duration} aria-invalid={error ? true : undefined}>
      <legend>{t('duration')}</legend>
      <div className={styles.calendar}>
        <DayPicker
          mode="range"
          locale={CALENDARS[language]}
          selected={{ from, to }}
          defaultMonth={from ?? new Date()}
          onSelect={(range) => onChange({ ...draft, from: range?.from, to: range?.to })}
          disabled={{ before: new Date() }}
        />
      </div>
      <div className={styles.clock}>
        <TextField
          type="time"
          label={t('start_time')}
          value={fromTime}
          onValueChange={(value) => onChange({ ...draft, fromTime: value })}
        />
        <TextField
          type="time"
          label={t('end_time')}
          value={toTime}
          onValueChange={(value) => onChange({ ...draft, toTime: value })}
        />
      </div>
      {error ? (
        <p className={styles.error} role="alert">
          {error}
        </p>
      ) : (
        <p className={styles.hint}>{t('zone', { zone })}</p>
      )}
    </fieldset>
  );
}
