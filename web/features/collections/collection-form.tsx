import { useId } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { COLLECTION_ACCESS, COLLECTION_LIMITS, type CollectionAccess } from '../../../shared/constants.ts';
import { isVisible } from '../../../shared/visible-text.ts';
import type { DataFor } from '../../api/client.ts';
import { useOperation } from '../../api/use-operation.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { FormTextField } from '../../ui/form-fields.tsx';
import { RadioGroup } from '../../ui/radio-group/radio-group.tsx';
import { TextArea } from '../../ui/text-area/text-area.tsx';
import styles from './collection-form.module.css';

type Values = { title: string; description: string; access: CollectionAccess };

type CollectionFormProps = {
  /** Absent for a new one. */
  collection?: Values & { collection_key: string };
  onSaved?: (saved: DataFor<'saveCollection'>) => void;
  onClose: () => void;
};

/** Makes a collection or changes its title, description and readers. */
export function CollectionForm({ collection, onSaved, onClose }: CollectionFormProps) {
  const t = useTranslations('collections');
  const common = useTranslations('common');
  const id = useId();
  const { control, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: {
      title: collection?.title ?? '',
      description: collection?.description ?? '',
      access: collection?.access ?? 'private',
    },
  });
  const save = useOperation(
    'saveCollection',
    (values: Values) => ({
      ...values,
      ...(collection && { collection_key: collection.collection_key }),
    }),
    {
      done: common('saved'),
      failed: t('save_failed'),
      errorMessages: { COLLECTION_LIMIT_REACHED: t('limit', { max: COLLECTION_LIMITS.collections }) },
      failsIn: { setError },
      onSuccess: (saved) => {
        onSaved?.(saved);
        onClose();
      },
    },
  );
  const tooLong = (text: string, limit: number) =>
    [...text].length > limit ? common('too_long', { limit }) : undefined;
  return (
    <ConfirmDialog
      open
      title={collection ? t('edit_title', { title: collection.title }) : t('new_title')}
      confirmLabel={common('save')}
      busy={save.isPending}
      error={formState.errors.root?.message}
      isDirty={formState.isDirty}
      form={id}
      onClose={onClose}
    >
      <form
        id={id}
        className={styles.form}
        noValidate
        onSubmit={(event) => void handleSubmit((values) => save.mutate(values))(event)}
      >
        <FormTextField
          control={control}
          name="title"
          label={t('title')}
          check={(title) => (isVisible(title) ? tooLong(title, COLLECTION_LIMITS.title) : t('title_missing'))}
          counted={COLLECTION_LIMITS.title}
          autoComplete="off"
        />
        <Controller
          control={control}
          name="description"
          rules={{ validate: (text) => tooLong(text, COLLECTION_LIMITS.description) }}
          render={({ field, fieldState }) => (
            <TextArea
              label={t('description')}
              maxLength={COLLECTION_LIMITS.description}
              value={field.value}
              onChange={field.onChange}
              onBlur={field.onBlur}
              error={fieldState.error?.message}
            />
          )}
        />
        <Controller
          control={control}
          name="access"
          render={({ field }) => (
            <RadioGroup
              label={t('access')}
              value={field.value}
              onChange={field.onChange}
              options={COLLECTION_ACCESS.map((value) => ({ value, label: t(`access_${value}`) }))}
            />
          )}
        />
      </form>
    </ConfirmDialog>
  );
}
