import { useController, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { KIT_LIMITS } from '../../../../shared/constants.ts';
import type { Kit } from '../../../../shared/routes/kit.ts';
import { EditDialog } from '../frame/edit-dialogs.tsx';
import { PluginPicker } from '../frame/plugin-picker.tsx';

/** Adds a published plugin at the end of a kit. */
export function AddPlugin({ kit, onClose }: { kit: Kit; onClose: () => void }) {
  const t = useTranslations('kits');
  const slots = useTranslations('slots');
  const form = useForm({ defaultValues: { pluginKey: '' } });
  const { field, fieldState } = useController({
    control: form.control,
    name: 'pluginKey',
    rules: { required: slots('plugin_missing') },
  });
  return (
    <EditDialog
      title={t('add_plugin')}
      confirmLabel={t('add_confirm')}
      doneText={t('added')}
      failedText={t('change_failed')}
      form={form}
      operation="setKitPlugin"
      payload={({ pluginKey }) => ({ id: kit.id, plugin_key: pluginKey, is_in: true })}
      errorMessages={{
        KIT_FULL: { at: 'pluginKey', text: t('full', { max: KIT_LIMITS.plugins }) },
        PLUGIN_NOT_FOUND: { at: 'pluginKey', text: slots('plugin_missing') },
      }}
      onClose={onClose}
    >
      <PluginPicker
        value={field.value}
        onChange={field.onChange}
        error={fieldState.error?.message}
        without={kit.plugin_list.map(({ plugin }) => plugin.plugin_key)}
      />
    </EditDialog>
  );
}
