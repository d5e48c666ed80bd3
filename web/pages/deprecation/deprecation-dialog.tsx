import { useQuery } from '@tanstack/react-query';
import { useForm, useWatch } from 'react-hook-form';
import { useLocale, useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../shared/constants.ts';
import { isVisible } from '../../../shared/visible-text.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { FormRadioGroup } from '../../ui/form-fields.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { EditDialog } from '../backstage/frame/edit-dialogs.tsx';
import { TitleField } from '../backstage/frame/title-field.tsx';
import { type DeprecationValues, SuccessorField } from './successor-field.tsx';

/** Deprecates a plugin, changes what is said of it, or takes that back. */
export function DeprecationDialog({
  plugin: { plugin_key, name },
  onClose,
}: {
  plugin: { plugin_key: string; name: string };
  onClose: () => void;
}) {
  const t = useTranslations('deprecation');
  const common = useTranslations('common');
  const locale = useLocale();
  const { data, error, isFetching, refetch } = useQuery(
    queryOptionsOf('readDeprecation', { plugin_key }, { staleTime: 0 }),
  );
  const form = useForm<DeprecationValues>({
    defaultValues: { state: 'deprecated', successor_key: '', text: {} },
    ...(data && {
      values: { state: 'deprecated', successor_key: data.successor?.plugin_key ?? '', text: data.text },
      resetOptions: { keepDirtyValues: true },
    }),
  });
  const { control } = form;
  const isOn = useWatch({ control, name: 'state' }) === 'deprecated';
  return (
    <EditDialog
      title={t('dialog_title', { name })}
      doneText={t(isOn ? 'now_deprecated' : 'now_maintained', { name })}
      form={form}
      operation="deprecatePlugin"
      payload={({ successor_key, text }) => ({
        plugin_key,
        is_deprecated: isOn,
        ...(isOn && {
          successor_key: successor_key === '' ? null : successor_key,
          text: Object.fromEntries(Object.entries(text).filter(([, one]) => isVisible(one))),
        }),
      })}
      errorMessages={{ VALIDATION_FAILED: { at: ['successor_key'], text: t('successor_refused') } }}
      isReady={data !== undefined}
      onClose={onClose}
    >
      <p>{t('dialog_text')}</p>
      {!data && !error && <Skeleton shape="block" />}
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {data?.is_deprecated && (
        <FormRadioGroup
          control={control}
          name="state"
          label={t('state')}
          options={[
            { value: 'deprecated', label: t('is_deprecated') },
            { value: 'maintained', label: t('is_maintained') },
          ]}
        />
      )}
      {data && isOn && (
        <>
          <SuccessorField control={control} pluginKey={plugin_key} current={data.successor} />
          <TitleField
            control={control}
            name="text"
            isLong
            label={t('text')}
            hint={t('text_hint')}
            limit={TEXT_LIMITS.reason}
            languagesLabel={t('languages')}
            writtenLabel={common('written')}
            first={locale}
          />
        </>
      )}
    </EditDialog>
  );
}
