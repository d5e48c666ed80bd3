import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../../shared/constants.ts';
import { TextArea } from '../../../../ui/text-area/text-area.tsx';
import { useFocusSoon } from '../../../../ui/use-focus-soon.ts';

/** The field for the reason of a rejection, which its publisher reads; it is there to be written in at once. */
export function ReasonField({ reason }: { reason: ReturnType<typeof useReason> }) {
  const t = useTranslations('review');
  const place = useRef<HTMLDivElement>(null);
  useFocusSoon(place);
  return (
    <div ref={place}>
      <TextArea
        label={t('reason')}
        hint={t('reason_hint')}
        value={reason.text}
        onChange={reason.setText}
        maxLength={TEXT_LIMITS.reason}
        error={reason.error}
        required
      />
    </div>
  );
}

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
