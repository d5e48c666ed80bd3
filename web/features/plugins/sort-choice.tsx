import { useTranslations } from 'use-intl';
import { BASE_PATH, SORT_LATEST, SORT_POPULAR } from '../../../shared/constants.ts';
import { Link } from '../../routing/link.tsx';
import { segmentClass } from '../../ui/segmented/segment-class.ts';
import { Segmented } from '../../ui/segmented/segmented.tsx';
import { type PluginFilter, queryOf } from './plugin-filter.ts';

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
        <Link
          key={sort}
          to={`${BASE_PATH}${queryOf({ ...filter, sort })}`}
          replace
          preventScrollReset
          className={segmentClass(sort === filter.sort)}
          aria-current={sort === filter.sort ? 'true' : undefined}
        >
          {t(text)}
        </Link>
      ))}
    </Segmented>
  );
}
