import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import { useDebounce } from 'use-debounce';
import { useTranslations } from 'use-intl';
import { AUDIT_PASSED, SEARCH_DELAY, TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { ResourceSlot } from '../../../../shared/entities/site.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { PluginIcon } from '../../../features/plugins/plugin-icon.tsx';
import { SearchInput } from '../../../ui/search-input/search-input.tsx';
import type { SlotValues } from './slot-values.ts';
import styles from './slots-screen.module.css';

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
  const error = fieldState.error?.message;
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
    <div>
      <SearchInput
        // Outside the form: Enter searches and doesn't submit.
        form=""
        label={t('plugin_search')}
        placeholder={t('plugin_search')}
        clearLabel={t('plugin_clear')}
        maxLength={TEXT_LIMITS.keyword}
        value={typed}
        onValueChange={setTyped}
      />
      <div
        className={styles.found}
        role="radiogroup"
        aria-label={t('plugin')}
        aria-busy={isPlaceholderData || !data}
      >
        {plugins.map(({ plugin_key, name, icon }) => (
          <label key={plugin_key} className={styles.option}>
            <input
              type="radio"
              className={styles.radio}
              name={field.name}
              checked={plugin_key === field.value}
              onChange={() => field.onChange(plugin_key)}
            />
            <PluginIcon icon={icon} name={name} size={36} />
            {name}
          </label>
        ))}
        {data && plugins.length === 0 && <p className={styles.none}>{t('plugin_none')}</p>}
      </div>
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
