import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { FILTER_TAGS_MAX, type FilterName, TOTAL_EXACT_UP_TO } from '../../../../shared/constants.ts';
import type { Facet } from '../../../../shared/entities/plugin-filters.ts';
import { chipClass } from '../../../ui/chip/chip-class.ts';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden/visually-hidden.tsx';
import { FilterLink } from '../filter-link.tsx';
import { choiceOf, type PluginFilter, tagsOf, tagsText } from '../plugin-filter.ts';
import { facetsQuery } from '../plugin-queries.ts';
import { QueryError } from '../query-error.tsx';
import styles from './filter-bar.module.css';
import { activeFilters, useFilterWords } from './filter-words.ts';

const TITLES = {
  tags: 'group_tags',
  reach: 'group_reach',
  warnings: 'group_warnings',
  verified: 'group_verified',
  editor: 'group_editor',
  lang: 'group_lang',
  updated: 'group_updated',
} as const satisfies Record<FilterName, string>;

const SKELETON_KEYS = ['a', 'b', 'c', 'd'];

/** All filters with their values, and how many plugins there would be with each. */
export function FilterGroups({ filter }: { filter: PluginFilter }) {
  const t = useTranslations('filters');
  const { data, error, isFetching, refetch } = useQuery({
    ...facetsQuery(filter),
    placeholderData: keepPreviousData,
  });
  if (!data) {
    return error ? (
      <QueryError error={error} busy={isFetching} onRetry={refetch} />
    ) : (
      <div className={styles.groups}>
        {SKELETON_KEYS.map((key) => (
          <Skeleton key={key} className={styles.waiting} />
        ))}
      </div>
    );
  }
  return (
    <div className={styles.groups} aria-busy={isFetching}>
      {data.facet_list.map((facet) => (
        <FilterGroup key={facet.name} title={t(TITLES[facet.name])} filter={filter} facet={facet} />
      ))}
    </div>
  );
}

type Value = Facet['value_list'][number];

/** One filter as chips; nothing where none of its values would show a plugin. */
function FilterGroup({ title, filter, facet }: { title: string; filter: PluginFilter; facet: Facet }) {
  const wordsOf = useFilterWords();
  const { name } = facet;
  const chosen = activeFilters(filter).filter((active) => active.name === name);
  const isFull = name === 'tags' && chosen.length >= FILTER_TAGS_MAX;
  const offered = facet.value_list.filter(
    ({ value, count }) => (count > 0 && !isFull) || chosen.some((one) => one.value === value),
  );
  const missing = chosen.filter((one) => offered.every(({ value }) => value !== one.value));
  const counted = new Map(facet.value_list.map((value) => [value.value, value]));
  const values: { value: string }[] = [...missing, ...offered];
  const shown = values.flatMap(({ value }) => {
    const words = wordsOf(name, value);
    return words === undefined ? [] : [{ value, words, counted: counted.get(value) }];
  });
  if (shown.length === 0) return null;
  return (
    <div className={styles.group}>
      <h3 className={styles.title}>{title}</h3>
      <ul className={styles.values}>
        {shown.map(({ value, words, counted }) => {
          const isChosen = chosen.some((active) => active.value === value);
          return (
            <li key={value}>
              <FilterLink
                filter={filter}
                change={changeTo(filter, { name, value, isChosen })}
                preventScrollReset
                className={chipClass({ small: true, current: isChosen })}
                aria-current={isChosen ? 'true' : undefined}
              >
                {words}
                {counted && <ValueCount {...counted} />}
              </FilterLink>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Sets a value, or takes it away where it is set. */
function changeTo(
  filter: PluginFilter,
  { name, value, isChosen }: { name: FilterName; value: string; isChosen: boolean },
): Partial<PluginFilter> {
  if (isChosen)
    return activeFilters(filter).find((one) => one.name === name && one.value === value)?.without ?? {};
  if (name === 'tags') return { tags: tagsText([...tagsOf(filter), Number(value)]) };
  return choiceOf(name, value);
}

function ValueCount({ count, is_estimated }: Value) {
  const t = useTranslations('filters');
  const home = useTranslations('home');
  const isMore = is_estimated && count >= TOTAL_EXACT_UP_TO;
  return (
    <>
      <span className={styles.count} aria-hidden="true">
        {isMore ? t('over', { count }) : is_estimated ? t('about', { count }) : t('exactly', { count })}
      </span>
      <VisuallyHidden>{`, ${home(isMore ? 'count_at_least' : 'count', { count })}`}</VisuallyHidden>
    </>
  );
}
