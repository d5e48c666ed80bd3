import { useController, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { COLLECTION_LIMITS } from '../../../../shared/constants.ts';
import type { Collection } from '../../../../shared/routes/collection.ts';
import { EditDialog } from '../frame/edit-dialogs.tsx';
import { PluginPicker } from '../frame/plugin-picker.tsx';

type Values = { pluginKey: string };

/** Adds a published plugin to a collection of the editors. */
export function AddPlugin({ collection, onClose }: { collection: Collection; onClose: () => void }) {
  const t = useTranslations('collectionAdmin');
  const texts = useTranslations('collections');
  const slots = useTranslations('slots');
  const form = useForm<Values>({ defaultValues: { pluginKey: '' } });
  const { field, fieldState } = useController({
    control: form.control,
    name: 'pluginKey',
    rules: { required: slots('plugin_missing') },
  });
  return (
    <EditDialog
      title={t('add_plugin')}
      confirmLabel={t('add_plugin')}
      doneText={texts('collected')}
      failedText={texts('collect_failed')}
      form={form}
      operation="collectPlugin"
      payload={({ pluginKey }) => ({
        collection_key: collection.collection_key,
        plugin_key: pluginKey,
        is_in: true,
      })}
      errorMessages={{
        PLUGIN_NOT_FOUND: { at: 'pluginKey', text: slots('plugin_missing') },
        COLLECTION_FULL: texts('full', { max: COLLECTION_LIMITS.plugins }),
      }}
      onClose={onClose}
    >
      <PluginPicker
        value={field.value}
        onChange={field.onChange}
        error={fieldState.error?.message}
        without={collection.plugin_list.map(({ plugin }) => plugin.plugin_key)}
      />
    </EditDialog>
  );
}
