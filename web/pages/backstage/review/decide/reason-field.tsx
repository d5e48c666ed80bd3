import { useRef } from 'react';
import { type Control, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../../shared/constants.ts';
import { isVisible } from '../../../../../shared/visible-text.ts';
import { FormTextArea } from '../../../../ui/form-fields.tsx';
import { useAutoFocus } from '../../../../ui/use-auto-focus.ts';

type Values = { reason: string };

/** The reason of a rejection, which the publisher reads; focused on mount. */
export function ReasonField({ control }: { control: Control<Values> }) {
  const t = useTranslations('review');
  const common = useTranslations('common');
  const container = useRef<HTMLDivElement>(null);
  useAutoFocus(container);
  const check = (text: string): string | undefined => {
    const reason = text.trim();
    if (!isVisible(reason)) return t('reason_required');
    return [...reason].length > TEXT_LIMITS.reason
      ? common('too_long', { limit: TEXT_LIMITS.reason })
      : undefined;
  };
  return (
    <div ref={container}>
      <FormTextArea
        control={control}
        name="reason"
        check={check}
        label={t('reason')}
        hint={t('reason_hint')}
        maxLength={TEXT_LIMITS.reason}
        required
      />
    </div>
  );
}

/** State of the rejection form; validates the length while typing. */
export function useReasonForm() {
  return useForm<Values>({ mode: 'onChange', defaultValues: { reason: '' } });
}
