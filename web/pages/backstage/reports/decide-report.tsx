import { Controller, FormProvider, useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { Report } from '../../../../shared/entities/site.ts';
import { isVisible } from '../../../../shared/visible-text.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { FormTextArea } from '../../../ui/form-fields.tsx';
import { RadioGroup } from '../../../ui/radio-group/radio-group.tsx';
import {
  NO_WITHDRAWAL,
  WithdrawalFields,
  type WithdrawalValues,
  withdrawalOf,
} from '../frame/withdrawal-fields.tsx';

/** Actions for a report and its plugin, as in the contract. */
const OUTCOMES = {
  withdraw: { state: 'accepted' },
  hide: { state: 'accepted', is_hidden: true },
  warn: { state: 'accepted' },
  uphold: { state: 'accepted' },
  dismiss: { state: 'dismissed' },
} as const;
type Outcome = keyof typeof OUTCOMES;

const CHOICES = ['withdraw', 'hide', 'warn', 'uphold', 'dismiss'] as const satisfies readonly Outcome[];

type Values = { outcome: Outcome | null; warning: string; decision: string; withdrawal: WithdrawalValues };

const tellsPublisher = (outcome: Outcome | null): boolean => outcome === 'hide' || outcome === 'warn';

/** Decides a report: action for the plugin and message to the reporter. */
export function DecideReport({ report, onClose }: { report: Report; onClose: () => void }) {
  const t = useTranslations('reports');
  const common = useTranslations('common');
  const form = useForm<Values>({
    mode: 'onChange',
    defaultValues: { outcome: null, warning: '', decision: '', withdrawal: NO_WITHDRAWAL },
  });
  const { clearErrors, control, getValues, handleSubmit } = form;
  const outcome = useWatch({ control, name: 'outcome' });
  const decide = useOperation(
    'decideReport',
    ({ chosen, warning, decision, withdrawal }: Omit<Values, 'outcome'> & { chosen: Outcome }) => ({
      id: report.id,
      ...OUTCOMES[chosen],
      ...(chosen === 'withdraw' && { withdrawal: withdrawalOf(withdrawal) }),
      ...(tellsPublisher(chosen) && isVisible(warning) && { warning: warning.trim() }),
      ...(decision.trim() !== '' && { decision: decision.trim() }),
    }),
    {
      done: t('decided'),
      failed: common('failed'),
      errorMessages: { ALREADY_DECIDED: t('too_late') },
      onSuccess: onClose,
    },
  );
  const checkLength = (text: string): string | undefined =>
    [...text].length > TEXT_LIMITS.reason ? common('too_long', { limit: TEXT_LIMITS.reason }) : undefined;
  const checkWarning = (text: string): string | undefined =>
    getValues('outcome') === 'warn' && !isVisible(text) ? t('warning_missing') : checkLength(text);
  const submit = handleSubmit(
    ({ outcome: chosen, ...texts }) => chosen && decide.mutate({ chosen, ...texts }),
  );
  return (
    <ConfirmDialog
      open
      title={t('decide_title', { plugin: report.plugin_name })}
      confirmLabel={t('decide')}
      tone={outcome === 'hide' || outcome === 'withdraw' ? 'danger' : 'normal'}
      busy={decide.isPending}
      error={decide.failure}
      onConfirm={() => void submit()}
      onClose={onClose}
    >
      <Controller
        control={control}
        name="outcome"
        rules={{ validate: (chosen) => (chosen === null ? t('outcome_missing') : undefined) }}
        render={({ field, fieldState }) => (
          <RadioGroup
            label={t('outcome')}
            value={field.value ?? undefined}
            onChange={(chosen) => {
              field.onChange(chosen);
              clearErrors('warning');
            }}
            error={fieldState.error?.message}
            options={CHOICES.map((value) => ({
              value,
              label: t(`outcome_${value}`),
              hint: t(`outcome_${value}_hint`),
            }))}
          />
        )}
      />
      {outcome === 'withdraw' && (
        <FormProvider {...form}>
          <WithdrawalFields />
        </FormProvider>
      )}
      {tellsPublisher(outcome) && (
        <FormTextArea
          control={control}
          name="warning"
          check={checkWarning}
          label={t('warning')}
          hint={t(outcome === 'warn' ? 'warning_hint' : 'warning_optional')}
          maxLength={TEXT_LIMITS.reason}
        />
      )}
      <FormTextArea
        control={control}
        name="decision"
        check={checkLength}
        label={t('decision')}
        hint={t('decision_hint')}
        maxLength={TEXT_LIMITS.reason}
      />
    </ConfirmDialog>
  );
}
