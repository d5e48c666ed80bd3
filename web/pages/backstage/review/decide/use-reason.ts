import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../../shared/constants.ts';

/** The reason of a rejection while it is written; `check` says what is wrong once it is to be sent. */
export function useReason() {
  const t = useTranslations('review');
  const [text, setText] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const reason = text.trim();
  const isTooLong = [...reason].length > TEXT_LIMITS.reason;
  const isMissing = reason === '';
  const check = (): string | undefined => {
    setIsChecked(true);
    return isTooLong || isMissing ? undefined : reason;
  };
  const error = isTooLong
    ? t('reason_too_long', { limit: TEXT_LIMITS.reason })
    : isChecked && isMissing
      ? t('reason_required')
      : undefined;
  return { text, setText, check, error };
}
