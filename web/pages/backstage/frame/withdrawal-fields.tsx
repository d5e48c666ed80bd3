import { useFormContext } from 'react-hook-form';
import { useLocale, useTranslations } from 'use-intl';
import { TEXT_LIMITS, WITHDRAWAL_REASONS, type WithdrawalReason } from '../../../../shared/constants.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { isVisible } from '../../../../shared/visible-text.ts';
import { FormRadioGroup, FormSelect } from '../../../ui/form-fields.tsx';
import styles from './edit-dialogs.module.css';
import { TitleField } from './title-field.tsx';

/** What an administrator says about a withdrawal. */
export type WithdrawalValues = {
  reason: WithdrawalReason | '';
  what: 'must_stop' | 'may_keep';
  text: Texts;
};

export const NO_WITHDRAWAL: WithdrawalValues = { reason: '', what: 'must_stop', text: {} };

/** The values for a call; a form without a reason is not sent. */
export function withdrawalOf({ reason, what, text }: WithdrawalValues) {
  return {
    reason: reason === '' ? ('policy' as const) : reason,
    must_stop: what === 'must_stop',
    text: Object.fromEntries(Object.entries(text).filter(([, one]) => isVisible(one))),
  };
}

/** Reason, consequence and texts of a withdrawal, in a form that has them at `withdrawal`. */
export function WithdrawalFields() {
  const t = useTranslations('withdrawing');
  const reasons = useTranslations('removed');
  const common = useTranslations('common');
  const locale = useLocale();
  const { control } = useFormContext<{ withdrawal: WithdrawalValues }>();
  return (
    <div className={styles.form}>
      <FormSelect
        control={control}
        name="withdrawal.reason"
        label={t('reason')}
        placeholder={t('reason_required')}
        required={t('reason_required')}
        options={WITHDRAWAL_REASONS.map((value) => ({ value, label: reasons(`reason_${value}`) }))}
      />
      <FormRadioGroup
        control={control}
        name="withdrawal.what"
        label={t('what_users_do')}
        options={(['must_stop', 'may_keep'] as const).map((value) => ({
          value,
          label: t(value),
          hint: t(`${value}_hint`),
        }))}
      />
      <TitleField
        control={control}
        name="withdrawal.text"
        isLong
        label={t('text')}
        hint={t('text_hint')}
        missing={t('text_required')}
        limit={TEXT_LIMITS.reason}
        languagesLabel={t('languages')}
        writtenLabel={common('written')}
        first={locale}
      />
    </div>
  );
}
