import 'react-day-picker/style.css';
import { DayPicker } from 'react-day-picker';
import { enUS } from 'react-day-picker/locale/en-US';
import { es } from 'react-day-picker/locale/es';
import { ja } from 'react-day-picker/locale/ja';
import { ko } from 'react-day-picker/locale/ko';
import { ru } from 'react-day-picker/locale/ru';
import { zhCN } from 'react-day-picker/locale/zh-CN';
import { type Control, useController, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ResourceSlot } from '../../../../shared/entities/site.ts';
import type { Language } from '../../../../shared/languages.ts';
import { siteLink } from '../../../../shared/site-link.ts';
import { useSite } from '../../../api/site-context.ts';
import { FormTextField } from '../../../ui/form-fields.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { EditDialog } from '../frame/edit-dialogs.tsx';
import { PluginPicker } from '../frame/plugin-picker.tsx';
import {
  type Duration,
  dateTimeOf,
  durationProblem,
  isEnd,
  isStart,
  type SlotValues,
  useTimeZone,
  valuesOf,
} from './slot-values.ts';
import styles from './slots-screen.module.css';

/** Creates or edits a timed resource slot of the home page. */
export function EditSlot({ slot, onClose }: { slot: ResourceSlot | undefined; onClose: () => void }) {
  const t = useTranslations('slots');
  const common = useTranslations('common');
  const form = useForm<SlotValues>({ defaultValues: valuesOf(slot) });
  const { control, formState } = form;
  const plugin = useController({
    control,
    name: 'pluginKey',
    rules: { required: t('plugin_missing') },
  });
  const before = formState.defaultValues?.duration;
  const payload = ({ pluginKey, link: typed, duration }: SlotValues) => {
    const start = dateTimeOf(duration.from, duration.fromTime);
    const end = dateTimeOf(duration.to, duration.toTime);
    const link = typed.trim();
    const times = {
      ...(start && !isStart(start, before) && { start_at: start.toISOString() }),
      ...(end && !isEnd(end, before) && { end_at: end.toISOString() }),
    };
    return slot
      ? { id: slot.id, plugin_key: pluginKey, link, ...times }
      : { plugin_key: pluginKey, ...(link !== '' && { link }), ...times };
  };
  return (
    <EditDialog
      title={t(slot ? 'edit_title' : 'add')}
      confirmLabel={slot ? undefined : t('apply')}
      doneText={slot ? undefined : t('applied')}
      failedText={t('try_again')}
      form={form}
      operation={slot ? 'changeSlot' : 'addSlot'}
      payload={payload}
      errorMessages={{
        LINK_INVALID: { at: 'link', text: common('link_wrong') },
        DURATION_REQUIRED: { at: 'duration', text: t('duration_missing') },
        END_BEFORE_START: { at: 'duration', text: t('end_before_start') },
        END_BEFORE_NOW: { at: 'duration', text: t('end_before_now') },
        PLUGIN_NOT_FOUND: { at: 'pluginKey', text: t('plugin_missing') },
      }}
      onClose={onClose}
    >
      <PluginPicker
        value={plugin.field.value}
        onChange={plugin.field.onChange}
        error={plugin.fieldState.error?.message}
        current={slot}
      />
      <FormTextField
        control={control}
        name="link"
        check={(link) => (link.trim() !== '' && siteLink(link) === null ? common('link_wrong') : undefined)}
        label={common('link')}
        hint={t('link_hint')}
        inputMode="url"
        spellCheck={false}
      />
      <DurationField control={control} before={before} />
    </EditDialog>
  );
}

const CALENDARS: Readonly<Record<Language, typeof enUS>> = {
  'zh-CN': zhCN,
  'en-US': enUS,
  'ja-JP': ja,
  'ko-KR': ko,
  'ru-RU': ru,
  'es-ES': es,
};

type Props = { control: Control<SlotValues>; before: Partial<Duration> | undefined };

/** First and last day with times. */
function DurationField({ control, before }: Props) {
  const t = useTranslations('slots');
  const { language } = useSite();
  const zone = useTimeZone();
  const { field, fieldState } = useController({
    control,
    name: 'duration',
    rules: {
      validate: (duration) => {
        const problem = durationProblem(duration, before, Date.now());
        return problem && t(problem);
      },
    },
  });
  const { from, to, fromTime, toTime } = field.value;
  const change = (part: Partial<Duration>): void => field.onChange({ ...field.value, ...part });
  const error = fieldState.error?.message;
  return (
    <fieldset className={styles.duration} aria-invalid={error ? true : undefined}>
      <legend>{t('duration')}</legend>
      <div className={styles.calendar}>
        <DayPicker
          mode="range"
          locale={CALENDARS[language]}
          selected={{ from, to }}
          defaultMonth={from ?? new Date()}
          onSelect={(range) => change({ from: range?.from, to: range?.to })}
          disabled={{ before: new Date() }}
        />
      </div>
      <div className={styles.clock}>
        <TextField
          type="time"
          label={t('start_time')}
          value={fromTime}
          onValueChange={(value) => change({ fromTime: value })}
        />
        <TextField
          type="time"
          label={t('end_time')}
          value={toTime}
          onValueChange={(value) => change({ toTime: value })}
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
