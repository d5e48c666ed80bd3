import { useController, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { Operation } from '../../../../shared/contract.ts';
import type { ErrorCode } from '../../../../shared/errors.ts';
import type { PayloadOf } from '../../../api/use-operation.ts';
import { EditDialog } from './edit-dialogs.tsx';
import { PluginPicker } from './plugin-picker.tsx';

type Props<O extends Operation> = {
  texts: { title: string; confirm: string; done: string; failed: string; full: string };
  operation: O;
  payload: (pluginKey: string) => PayloadOf<O>;
  /** The error of a list that holds no more. */
  fullAs: ErrorCode;
  /** Plugins that are in the list. */
  plugins: readonly { plugin: { plugin_key: string } }[];
  onClose: () => void;
};

/** Adds a published plugin at the end of a list. */
export function AddPluginDialog<O extends Operation>({
  texts,
  operation,
  payload,
  fullAs,
  plugins,
  onClose,
}: Props<O>) {
  const slots = useTranslations('slots');
  const form = useForm({ defaultValues: { pluginKey: '' } });
  const { field, fieldState } = useController({
    control: form.control,
    name: 'pluginKey',
    rules: { required: slots('plugin_missing') },
  });
  return (
    <EditDialog
      title={texts.title}
      confirmLabel={texts.confirm}
      doneText={texts.done}
      failedText={texts.failed}
      form={form}
      operation={operation}
      payload={({ pluginKey }) => payload(pluginKey)}
      errorMessages={{
        [fullAs]: { at: 'pluginKey', text: texts.full },
        PLUGIN_NOT_FOUND: { at: 'pluginKey', text: slots('plugin_missing') },
      }}
      onClose={onClose}
    >
      <PluginPicker
        value={field.value}
        onChange={field.onChange}
        error={fieldState.error?.message}
        without={plugins.map(({ plugin }) => plugin.plugin_key)}
      />
    </EditDialog>
  );
}
