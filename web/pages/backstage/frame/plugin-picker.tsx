import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDebounce } from 'use-debounce';
import { useTranslations } from 'use-intl';
import { AUDIT_PASSED, SEARCH_DELAY, TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { PluginCard } from '../../../../shared/entities/plugin.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { PluginChoice } from '../../../features/plugins/plugin-choice.tsx';

const SHOWN = 20;

type Props = {
  /** Key of the chosen plugin; empty without one. */
  value: string;
  onChange: (pluginKey: string) => void;
  error: string | undefined;
  /** It can be kept even if the search doesn't find it. */
  current?: Pick<PluginCard, 'plugin_key' | 'name' | 'icon'> | undefined;
  /** Keys of plugins that cannot be chosen. */
  without?: readonly string[];
};

const NONE: readonly string[] = [];

/** Selects one published plugin. */
export function PluginPicker({ value, onChange, error, current, without = NONE }: Props) {
  const t = useTranslations('slots');
  const [typed, setTyped] = useState('');
  const [keyword] = useDebounce(typed.trim(), SEARCH_DELAY);
  const { data, isPlaceholderData } = useQuery({
    ...queryOptionsOf('listManagedPlugins', { keyword, audit_status: AUDIT_PASSED, limit: SHOWN }),
    placeholderData: (previous) => previous,
  });
  const found = data?.plugin_list.filter(({ is_live }) => is_live).map(({ plugin }) => plugin) ?? [];
  const left = [...without, ...(current ? [current.plugin_key] : [])];
  const others = found.filter(({ plugin_key }) => !left.includes(plugin_key));
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
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}
