import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../../shared/constants.ts';
import { useFocusSoon } from '../../../../ui/focus/use-focus-soon.ts';
import { TextArea } from '../../../../ui/text-area/text-area.tsx';
import type { useReason } from './use-reason.ts';

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
