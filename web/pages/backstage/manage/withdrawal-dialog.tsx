import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { FormSelect, FormTextArea } from '../../../ui/form-fields.tsx';
import styles from '../frame/edit-dialogs.module.css';

/** Stands for the whole plugin among its versions. */
const ALL = '';

/** Withdraws a plugin or one of its versions with a reason, or restores what is withdrawn (R 7.17). */
export function WithdrawalDialog({ managed, onClose }: { managed: ManagedPlugin; onClose: () => void }) {
  const t = useTranslations('manage');
  const common = useTranslations('common');
  const id = useId();
  const { plugin_key, name } = managed.plugin;
  const { data } = useQuery({
    ...queryOptionsOf('listVersions', { plugin_key }, { staleTime: 0 }),
    enabled: !managed.is_deleted,
  });
  const versions = data?.version_list ?? [];
  const form = useForm({ defaultValues: { version: ALL, reason: '' } });
  const version = useWatch({ control: form.control, name: 'version' });
  const withdrawal =
    version === ALL ? managed.withdrawal : versions.find((one) => one.version === version)?.withdrawal;
  const isOn = !withdrawal;
  const change = useOperation(
    'withdrawPlugin',
    (reason: string) => ({
      plugin_key,
      is_withdrawn: isOn,
      ...(version !== ALL && { version }),
      ...(isOn && { reason }),
    }),
    {
      done: t(isOn ? 'now_withdrawn' : 'now_restored'),
      failsIn: form,
      failed: common('failed'),
      onSuccess: onClose,
    },
  );
  return (
    <ConfirmDialog
      open
      title={t('withdraw_title', { name })}
      tone={isOn ? 'danger' : 'normal'}
      confirmLabel={t(isOn ? 'withdraw' : 'restore')}
      busy={change.isPending}
      error={form.formState.errors.root?.message}
      form={id}
      onClose={onClose}
    >
      <form
        className={styles.form}
        id={id}
        noValidate
        onSubmit={(event) => void form.handleSubmit(({ reason }) => change.mutate(reason))(event)}
      >
        <p>{t('withdraw_text')}</p>
        {versions.length > 0 && (
          <FormSelect
            control={form.control}
            name="version"
            label={t('withdraw_what')}
            options={[
              { value: ALL, label: t('withdraw_all') },
              ...versions.map((one) => ({
                value: one.version,
                label: t('withdraw_version', { version: one.version }),
              })),
            ]}
          />
        )}
        {withdrawal ? (
          <p>{t('withdrawn_because', { reason: withdrawal.reason })}</p>
        ) : (
          <FormTextArea
            control={form.control}
            name="reason"
            label={t('withdraw_reason')}
            maxLength={TEXT_LIMITS.reason}
            check={(reason) => (reason.trim() === '' ? t('withdraw_reason_required') : undefined)}
          />
        )}
      </form>
    </ConfirmDialog>
  );
}
