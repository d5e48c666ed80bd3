import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { Report } from '../../../../shared/entities/site.ts';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { TextArea } from '../../../ui/text-area/text-area.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';

type Props = { report: Report; state: 'accepted' | 'dismissed'; onClose: () => void };

/** Asks what the reporter is to be told, and decides. */
export function DecideReport({ report, state, onClose }: Props) {
  const t = useTranslations('reports');
  const [decision, setDecision] = useState('');
  const queryClient = useQueryClient();
  const toast = useToast();
  const decide = useMutation({
    mutationFn: () =>
      call('decideReport', {
        id: report.id,
        state,
        ...(decision.trim() !== '' && { decision: decision.trim() }),
      }),
    onSuccess: () => {
      toast({ kind: 'success', text: t('decided') });
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['listReports'] }),
  });
  const isTooLate = isApiError(decide.error) && decide.error.reason === 'ALREADY_DECIDED';
  const isTooLong = [...decision].length > TEXT_LIMITS.reason;
  return (
    <ConfirmDialog
      open
      title={t(state === 'accepted' ? 'accept_title' : 'dismiss_title', { plugin: report.plugin_name })}
      confirmLabel={t(state === 'accepted' ? 'accept' : 'dismiss')}
      cancelLabel={t('cancel')}
      tone={state === 'accepted' ? 'danger' : 'normal'}
      busy={decide.isPending}
      error={decide.error ? t(isTooLate ? 'too_late' : 'decide_failed') : undefined}
      onConfirm={() => {
        if (!isTooLong) decide.mutate();
      }}
      onClose={onClose}
    >
      <p>{t(state === 'accepted' ? 'accept_text' : 'dismiss_text')}</p>
      <TextArea
        label={t('decision')}
        hint={t('decision_hint')}
        value={decision}
        onChange={setDecision}
        maxLength={TEXT_LIMITS.reason}
        error={isTooLong ? t('too_long', { limit: TEXT_LIMITS.reason }) : undefined}
      />
    </ConfirmDialog>
  );
}
