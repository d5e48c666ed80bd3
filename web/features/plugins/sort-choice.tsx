import { useTranslations } from 'use-intl';
import { SORT_LATEST, SORT_POPULAR } from '../../../shared/constants.ts';
import { segmentClass } from '../../ui/segmented/segment-class.ts';
import { Segmented } from '../../ui/segmented/segmented.tsx';
import { FilterLink } from './filter-link.tsx';
import type { PluginFilter } from './plugin-filter.ts';

const SORTS = [
  { sort: SORT_LATEST, text: 'sort_latest' },
  { sort: SORT_POPULAR, text: 'sort_popular' },
] as const;

/** The order of a list: latest update or most popular. */
export function SortChoice({ filter }: { filter: PluginFilter }) {
  const t = useTranslations('home');
  return (
    <Segmented label={t('sort')}>
      {SORTS.map(({ sort, text }) => (
        <FilterLink
          key={sort}
          filter={filter}
          change={{ sort }}
          replace
          preventScrollReset
          className={segmentClass(sort === filter.sort)}
          aria-current={sort === filter.sort ? 'true' : undefined}
        >
          {t(text)}
        </FilterLink>
      ))}
    </Segmented>
  );
}
