import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { FormProvider, useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { WithdrawalNote } from '../../../features/plugins/withdrawal-note.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { FormSelect } from '../../../ui/form-fields.tsx';
import styles from '../frame/edit-dialogs.module.css';
import {
  NO_WITHDRAWAL,
  WithdrawalFields,
  type WithdrawalValues,
  withdrawalOf,
} from '../frame/withdrawal-fields.tsx';
import { PROPOSALS } from './withdrawal-proposals.tsx';

/** What is withdrawn or restored; a version has this prefix. */
const PLUGIN = 'plugin';
const PUBLISHER = 'publisher';
const TOGETHER = 'together';
const VERSION = 'version ';

/** Withdraws a plugin, one of its versions or everything of its publisher, or restores what is withdrawn (R 7.17). */
export function WithdrawalDialog({ managed, onClose }: { managed: ManagedPlugin; onClose: () => void }) {
  const t = useTranslations('manage');
  const texts = useTranslations('withdrawing');
  const common = useTranslations('common');
  const id = useId();
  const { plugin_key, name, publisher } = managed.plugin;
  const history = useQuery({
    ...queryOptionsOf('listVersions', { plugin_key }, { staleTime: 0 }),
    enabled: !managed.is_deleted,
  });
  const reach = useQuery(
    queryOptionsOf('readPublisherReach', { user_id: publisher.user_id }, { staleTime: 0 }),
  );
  const needsSecond = useQuery(PROPOSALS).data?.is_needed ?? false;
  const versions = history.data?.version_list ?? [];
  const form = useForm({ defaultValues: { scope: PLUGIN, withdrawal: NO_WITHDRAWAL } });
  const scope = useWatch({ control: form.control, name: 'scope' });
  const version = scope.startsWith(VERSION) ? scope.slice(VERSION.length) : undefined;
  const isOfPublisher = scope === PUBLISHER || scope === TOGETHER;
  const withdrawal =
    version === undefined ? managed.withdrawal : versions.find((one) => one.version === version)?.withdrawal;
  const isOn = isOfPublisher ? scope === PUBLISHER : !withdrawal;
  const asked = (values: WithdrawalValues) => ({
    is_withdrawn: isOn,
    ...(isOn && withdrawalOf(values)),
  });
  const outcome = {
    failsIn: form,
    failed: common('failed'),
    errorMessages: { CONFLICT: texts('proposal_exists') },
    onSuccess: onClose,
  };
  const one = useOperation(
    'withdrawPlugin',
    (values: WithdrawalValues) => ({
      plugin_key,
      ...(version !== undefined && { version }),
      ...asked(values),
    }),
    {
      done: ({ is_proposed }) =>
        is_proposed ? texts('proposed') : t(isOn ? 'now_withdrawn' : 'now_restored'),
      ...outcome,
    },
  );
  const all = useOperation(
    'withdrawPublisher',
    (values: WithdrawalValues) => ({ user_id: publisher.user_id, ...asked(values) }),
    {
      done: ({ plugin_count: count, is_proposed }) =>
        is_proposed ? texts('proposed') : texts(isOn ? 'withdraw_all_done' : 'restore_all_done', { count }),
      ...outcome,
    },
  );
  const change = isOfPublisher ? all : one;
  return (
    <ConfirmDialog
      open
      title={t('withdraw_title', { name })}
      tone={isOn ? 'danger' : 'normal'}
      confirmLabel={needsSecond ? texts('propose') : t(isOn ? 'withdraw' : 'restore')}
      busy={change.isPending}
      error={form.formState.errors.root?.message}
      form={id}
      onClose={onClose}
    >
      <FormProvider {...form}>
        <form
          className={styles.form}
          id={id}
          noValidate
          onSubmit={(event) => void form.handleSubmit((values) => change.mutate(values.withdrawal))(event)}
        >
          <p>{t('withdraw_text')}</p>
          {needsSecond && <p>{texts('propose_text')}</p>}
          <FormSelect
            control={form.control}
            name="scope"
            label={t('withdraw_what')}
            options={[
              { value: PLUGIN, label: t('withdraw_all') },
              ...versions.map((one) => ({
                value: VERSION + one.version,
                label: t('withdraw_version', { version: one.version }),
              })),
              ...(reach.data && reach.data.plugin_count > 0
                ? [{ value: PUBLISHER, label: texts('scope', { publisher: publisher.nick_name }) }]
                : []),
              ...(reach.data && reach.data.withdrawn_count > 0
                ? [{ value: TOGETHER, label: texts('restore_all') }]
                : []),
            ]}
          />
          {reach.data && scope === PUBLISHER && (
            <p>{texts('reach', { plugins: reach.data.plugin_count, installs: reach.data.install_count })}</p>
          )}
          {reach.data && scope === TOGETHER && (
            <p>
              {texts('restore_all_text', {
                count: reach.data.withdrawn_count,
                publisher: publisher.nick_name,
              })}
            </p>
          )}
          {!isOfPublisher && withdrawal && <WithdrawalNote withdrawal={withdrawal} />}
          {isOn && <WithdrawalFields />}
        </form>
      </FormProvider>
    </ConfirmDialog>
  );
}
