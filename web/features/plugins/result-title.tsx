import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { PluginFilter } from './plugin-filter.ts';
import { tagsQuery } from './plugin-queries.ts';

/** What the list shows: the keyword's matches, a tag's plugins, or all. */
export function ResultTitle({ filter: { keyword, tag_id } }: { filter: PluginFilter }) {
  const t = useTranslations('home');
  const { data } = useQuery(tagsQuery());
  if (keyword !== '') return t('results_for', { keyword });
  return data?.tag_list.find(({ id }) => id === tag_id)?.name ?? t('all_plugins');
}
