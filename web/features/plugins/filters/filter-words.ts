import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { FILTER_NAMES, type FilterName } from '../../../../shared/constants.ts';
import { isLanguage, LANGUAGE_NAMES } from '../../../../shared/languages.ts';
import { useSite } from '../../../api/site-context.ts';
import { type PluginFilter, tagsOf, tagsText } from '../plugin-filter.ts';
import { tagsQuery } from '../plugin-queries.ts';

/** Puts the value of a filter in words; undefined for a tag that is not shown. */
export function useFilterWords(): (name: FilterName, value: string) => string | undefined {
  const t = useTranslations('filters');
  const { editors = [] } = useSite();
  const { data } = useQuery(tagsQuery());
  const words: Readonly<Record<FilterName, (value: string) => string | undefined>> = {
    tags: (value) => data?.tag_list.find(({ id }) => String(id) === value)?.name,
    reach: (value) =>
      value === 'nothing' ? t('reach_nothing') : value === 'offline' ? t('reach_offline') : t('reach_named'),
    warnings: () => t('warnings_none'),
    verified: () => t('verified_publisher'),
    editor: (value) => editors.find(({ id }) => id === value)?.name ?? value,
    lang: (value) => (isLanguage(value) ? LANGUAGE_NAMES[value] : value),
    updated: (value) =>
      value === 'week' ? t('updated_week') : value === 'month' ? t('updated_month') : t('updated_year'),
  };
  return (name, value) => words[name](value);
}

/** A filter that is set, and the change that takes it away. */
export type ActiveFilter = { name: FilterName; value: string; without: Partial<PluginFilter> };

/** The filters that are set, each tag by itself. */
export function activeFilters(filter: PluginFilter): ActiveFilter[] {
  return FILTER_NAMES.flatMap((name): ActiveFilter[] => {
    if (name === 'tags') {
      const tags = tagsOf(filter);
      return tags.map((tag) => ({
        name,
        value: String(tag),
        without: { tags: tagsText(tags.filter((other) => other !== tag)) },
      }));
    }
    const value = filter[name];
    return value === undefined ? [] : [{ name, value, without: { [name]: undefined } }];
  });
}
