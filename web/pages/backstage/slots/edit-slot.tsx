import 'react-day-picker/style.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DayPicker } from 'react-day-picker';
import { enUS } from 'react-day-picker/locale/en-US';
import { es } from 'react-day-picker/locale/es';
import { ja } from 'react-day-picker/locale/ja';
import { ko } from 'react-day-picker/locale/ko';
import { ru } from 'react-day-picker/locale/ru';
import { zhCN } from 'react-day-picker/locale/zh-CN';
import { useTranslations } from 'use-intl';
import type { ResourceSlot } from '../../../../shared/entities/site.ts';
import type { Language } from '../../../../shared/languages.ts';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { useSite } from '../../../api/site-context.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { PluginPicker } from './plugin-picker.tsx';
import {
  draftOf,
  isEnd,
  isStart,
  momentOf,
  type SlotDraft,
  type SlotProblem,
  slotProblems,
  useTimeZone,
} from './slot-draft.ts';
import styles from './slots-screen.module.css';

/** What the service finds wrong, as this form shows it. */
const REFUSALS: Readonly<Record<string, SlotProblem>> = {
  LINK_INVALID: 'link_wrong',
  DURATION_REQUIRED: 'duration_missing',
  END_BEFORE_START: 'end_before_start',
  END_BEFORE_NOW: 'end_before_now',
  PLUGIN_NOT_FOUND: 'plugin_missing',
};

const DURATION = ['duration_missing', 'end_before_start', 'end_before_now'] as const;

/** Gives a plugin a place on the home page for a time, or changes the place that it has. */
export function EditSlot({ slot, onClose }: { slot: ResourceSlot | undefined; onClose: () => void }) {
  const t = useTranslations('slots');
  const [before] = useState(() => draftOf(slot));
  const [draft, setDraft] = useState(before);
  const [problems, setProblems] = useState<readonly SlotProblem[]>([]);
  const queryClient = useQueryClient();
  const toast = useToast();
  const change = (next: SlotDraft): void => {
    setDraft(next);
    setProblems([]);
  };
  const save = useMutation({
    mutationFn: () => {
      const start = momentOf(draft.from, draft.fromTime);
      const end = momentOf(draft.to, draft.toTime);
      const link = draft.link.trim();
      const times = {
        ...(start && !isStart(start, before) && { start_at: start.toISOString() }),
        ...(end && !isEnd(end, before) && { end_at: end.toISOString() }),
      };
      const plugin_key = draft.pluginKey ?? '';
      return slot
        ? call('changeSlot', { id: slot.id, plugin_key, link, ...times })
        : call('addSlot', { plugin_key, ...(link !== '' && { link }), ...times });
    },
    onSuccess: async () => {
      toast({ kind: 'success', text: t(slot ? 'saved' : 'applied') });
      await queryClient.invalidateQueries({ queryKey: ['listSlots'] });
      onClose();
    },
    onError: (error) => {
      const refusal = isApiError(error) ? REFUSALS[error.reason ?? ''] : undefined;
      if (refusal) setProblems([refusal]);
      else toast({ kind: 'failure', text: t('try_again') });
    },
  });
  const submit = (): void => {
    const found = slotProblems(draft, before, Date.now());
    setProblems(found);
    if (found.length === 0) save.mutate();
  };
  const problem = (...among: readonly SlotProblem[]): string | undefined => {
    const found = problems.find((one) => among.includes(one));
    return found && t(found);
  };
  return (
    <ConfirmDialog
      open
      title={t(slot ? 'edit_title' : 'add')}
      confirmLabel={t(slot ? 'save' : 'apply')}
      cancelLabel={t('cancel')}
      busy={save.isPending}
      onConfirm={submit}
      onClose={onClose}
    >
      <div className={styles.form}>
        <PluginPicker
          value={draft.pluginKey}
          current={slot}
          onChange={(pluginKey) => change({ ...draft, pluginKey })}
          error={problem('plugin_missing')}
        />
        <TextField
          label={t('link')}
          hint={t('link_hint')}
          inputMode="url"
          spellCheck={false}
          value={draft.link}
          onValueChange={(link) => change({ ...draft, link })}
          error={problem('link_wrong')}
        />
        <DurationField draft={draft} onChange={change} error={problem(...DURATION)} />
      </div>
    </ConfirmDialog>
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

type Props = { draft: SlotDraft; onChange: (draft: SlotDraft) => void; error: string | undefined };

/** First and last day, and the time of day of each. */
function DurationField({ draft, onChange, error }: Props) {
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
