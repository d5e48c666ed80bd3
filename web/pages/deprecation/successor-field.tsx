import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import { useDebounce } from 'use-debounce';
import { useTranslations } from 'use-intl';
import { ALL_TAG_ID, SEARCH_DELAY, TEXT_LIMITS } from '../../../shared/constants.ts';
import type { Successor } from '../../../shared/entities/plugin.ts';
import type { Texts } from '../../../shared/languages.ts';
import { infiniteQueryOptionsOf } from '../../api/queries.ts';
import { PluginChoice } from '../../features/plugins/plugin-choice.tsx';

export type DeprecationValues = {
  state: 'deprecated' | 'maintained';
  successor_key: string;
  text: Texts;
};

const SHOWN = 20;

type Props = {
  control: Control<DeprecationValues>;
  /** The plugin that is replaced. */
  pluginKey: string;
  /** The stored successor: it can be kept even if the search doesn't find it. */
  current: Successor | null;
};

/** The successor of a plugin, among those that everybody sees, or none. */
export function SuccessorField({ control, pluginKey, current }: Props) {
  const t = useTranslations('deprecation');
  const { field, fieldState } = useController({ control, name: 'successor_key' });
  const [typed, setTyped] = useState('');
  const [keyword] = useDebounce(typed.trim(), SEARCH_DELAY);
  const { data, isPlaceholderData } = useInfiniteQuery({
    ...infiniteQueryOptionsOf('listPlugins', { tag_id: ALL_TAG_ID, keyword, limit: SHOWN }),
    placeholderData: (previous) => previous,
  });
  const found = (data?.pages.flatMap((page) => page.plugin_list) ?? []).filter(
    ({ plugin_key, is_deprecated }) =>
      plugin_key !== pluginKey && plugin_key !== current?.plugin_key && !is_deprecated,
  );
  const plugins = [...(current && typed === '' ? [{ ...current, icon: null }] : []), ...found];
  return (
    <PluginChoice
      label={t('successor')}
      search={{
        label: t('successor_search'),
        clearLabel: t('successor_clear'),
        maxLength: TEXT_LIMITS.keyword,
        typed,
        onType: setTyped,
      }}
      noneLabel={t('successor_none')}
      plugins={plugins}
      nothingFound={data && plugins.length === 0 ? t('successor_not_found') : undefined}
      busy={isPlaceholderData || !data}
      value={field.value}
      onChange={field.onChange}
      error={fieldState.error?.message}
    />
  );
}
