import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import { useDebounce } from 'use-debounce';
import { useTranslations } from 'use-intl';
import { AUDIT_PASSED, SEARCH_DELAY, TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { ResourceSlot } from '../../../../shared/entities/site.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { PluginChoice } from '../../../features/plugins/plugin-choice.tsx';
import type { SlotValues } from './slot-values.ts';

const SHOWN = 20;

type Props = {
  control: Control<SlotValues>;
  /** The edited slot: its plugin can be kept even if the search doesn't find it. */
  current: ResourceSlot | undefined;
};

/** Selects one published plugin. */
export function PluginPicker({ control, current }: Props) {
  const t = useTranslations('slots');
  const { field, fieldState } = useController({
    control,
    name: 'pluginKey',
    rules: { required: t('plugin_missing') },
  });
  const [typed, setTyped] = useState('');
  const [keyword] = useDebounce(typed.trim(), SEARCH_DELAY);
  const { data, isPlaceholderData } = useQuery({
    ...queryOptionsOf('listManagedPlugins', { keyword, audit_status: AUDIT_PASSED, limit: SHOWN }),
    placeholderData: (previous) => previous,
  });
  const found = data?.plugin_list.filter(({ is_live }) => is_live).map(({ plugin }) => plugin) ?? [];
  const others = found.filter(({ plugin_key }) => plugin_key !== current?.plugin_key);
  const currentPlugin = found.find(({ plugin_key }) => plugin_key === current?.plugin_key) ?? current;
  const plugins = [...(currentPlugin && typed === '' ? [currentPlugin] : []), ...others];
  return (
    <PluginChoice
      label={t('plugin')}
      search={{
        label: t('plugin_search'),
        clearLabel: t('plugin_clear'),
        maxLength: TEXT_LIMITS.keyword,
        typed,
        onType: setTyped,
      }}
      plugins={plugins}
      nothingFound={data && plugins.length === 0 ? t('plugin_none') : undefined}
      busy={isPlaceholderData || !data}
      value={field.value}
      onChange={field.onChange}
      error={fieldState.error?.message}
    />
  );
}
