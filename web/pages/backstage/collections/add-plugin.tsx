import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import { useDebounce } from 'use-debounce';
import { useTranslations } from 'use-intl';
import { AUDIT_PASSED, COLLECTION_LIMITS, SEARCH_DELAY, TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { Collection } from '../../../../shared/routes/collection.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { PluginChoice } from '../../../features/plugins/plugin-choice.tsx';
import { EditDialog } from '../frame/edit-dialogs.tsx';

const SHOWN = 20;

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
  const [typed, setTyped] = useState('');
  const [keyword] = useDebounce(typed.trim(), SEARCH_DELAY);
  const { data, isPlaceholderData } = useQuery({
    ...queryOptionsOf('listManagedPlugins', { keyword, audit_status: AUDIT_PASSED, limit: SHOWN }),
    placeholderData: (previous) => previous,
  });
  const known = new Set(collection.plugin_list.map(({ plugin }) => plugin.plugin_key));
  const found = data?.plugin_list.filter(({ is_live }) => is_live).map(({ plugin }) => plugin) ?? [];
  const plugins = found.filter(({ plugin_key }) => !known.has(plugin_key));
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
      <PluginChoice
        label={slots('plugin')}
        search={{
          label: slots('plugin_search'),
          clearLabel: slots('plugin_clear'),
          maxLength: TEXT_LIMITS.keyword,
          typed,
          onType: setTyped,
        }}
        plugins={plugins}
        nothingFound={data && plugins.length === 0 ? slots('plugin_none') : undefined}
        busy={isPlaceholderData || !data}
        value={field.value}
        onChange={field.onChange}
        error={fieldState.error?.message}
      />
    </EditDialog>
  );
}
