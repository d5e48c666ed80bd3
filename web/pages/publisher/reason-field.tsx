import type { Control } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../shared/constants.ts';
import { isVisible } from '../../../shared/visible-text.ts';
import { FormTextArea } from '../../ui/form-fields.tsx';

/** Why an administrator decides something about a publisher, who is told. */
export function ReasonField({ control }: { control: Control<{ reason: string }> }) {
  const t = useTranslations('publisher');
  const common = useTranslations('common');
  const check = (reason: string): string | undefined => {
    if (!isVisible(reason)) return t('hide_reason_missing');
    return [...reason].length > TEXT_LIMITS.reason
      ? common('too_long', { limit: TEXT_LIMITS.reason })
      : undefined;
  };
  return (
    <FormTextArea
      control={control}
      name="reason"
      check={check}
      label={t('hide_reason')}
      hint={t('hide_reason_hint')}
      maxLength={TEXT_LIMITS.reason}
      required
    />
  );
}
