import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { Report } from '../../../../shared/entities/site.ts';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { RadioGroup } from '../../../ui/radio-group/radio-group.tsx';
import { TextArea } from '../../../ui/text-area/text-area.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';

/** What becomes of a report and its plugin, as the service is told. */
const OUTCOMES = {
  hide: { state: 'accepted', is_hidden: true },
  warn: { state: 'accepted' },
  uphold: { state: 'accepted' },
  dismiss: { state: 'dismissed' },
} as const;
type Outcome = keyof typeof OUTCOMES;

const CHOICES = ['hide', 'warn', 'uphold', 'dismiss'] as const satisfies readonly Outcome[];

/** Asks what becomes of a report and its plugin, and what the reporter is told: one decision. */
export function DecideReport({ report, onClose }: { report: Report; onClose: () => void }) {
  const t = useTranslations('reports');
  const [outcome, setOutcome] = useState<Outcome>();
  const [isChecked, setChecked] = useState(false);
  const [decision, setDecision] = useState('');
  const [warning, setWarning] = useState('');
  const tellsPublisher = outcome === 'hide' || outcome === 'warn';
  const queryClient = useQueryClient();
  const toast = useToast();
  const decide = useMutation({
    mutationFn: (chosen: Outcome) =>
      call('decideReport', {
        id: report.id,
        ...OUTCOMES[chosen],
        ...(tellsPublisher && warning.trim() !== '' && { warning: warning.trim() }),
        ...(decision.trim() !== '' && { decision: decision.trim() }),
      }),
    onSuccess: () => {
      toast({ kind: 'success', text: t('decided') });
      onClose();
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['listReports'] }),
        queryClient.invalidateQueries({ queryKey: ['listManagedPlugins'] }),
      ]),
  });
  const isTooLate = isApiError(decide.error) && decide.error.reason === 'ALREADY_DECIDED';
  const isTooLong = [...decision].length > TEXT_LIMITS.reason;
  const isWarningTooLong = tellsPublisher && [...warning].length > TEXT_LIMITS.reason;
  const isWarningMissing = outcome === 'warn' && warning.trim() === '';
  const warningWrong = isWarningTooLong
    ? t('too_long', { limit: TEXT_LIMITS.reason })
    : isChecked && isWarningMissing
      ? t('warning_missing')
      : undefined;
  const confirm = (): void => {
    setChecked(true);
    if (outcome !== undefined && !isTooLong && !isWarningTooLong && !isWarningMissing) decide.mutate(outcome);
  };
  return (
    <ConfirmDialog
      open
      title={t('decide_title', { plugin: report.plugin_name })}
      confirmLabel={t('decide')}
      cancelLabel={t('cancel')}
      tone={outcome === 'hide' ? 'danger' : 'normal'}
      busy={decide.isPending}
      error={decide.error ? t(isTooLate ? 'too_late' : 'decide_failed') : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <RadioGroup
        label={t('outcome')}
        value={outcome}
        onChange={setOutcome}
        error={isChecked && outcome === undefined ? t('outcome_missing') : undefined}
        options={CHOICES.map((value) => ({
          value,
          label: t(`outcome_${value}`),
          hint: t(`outcome_${value}_hint`),
        }))}
      />
      {tellsPublisher && (
        <TextArea
          label={t('warning')}
          hint={t(outcome === 'warn' ? 'warning_hint' : 'warning_optional')}
          value={warning}
          onChange={setWarning}
          maxLength={TEXT_LIMITS.reason}
          error={warningWrong}
        />
      )}
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
