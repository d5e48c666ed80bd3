import { FILTER_NAMES, type FilterName, TOTAL_EXACT_UP_TO } from '../../../../shared/constants.ts';
import type { Facet } from '../../../../shared/entities/plugin-filters.ts';
import type { QueryOf } from '../../../../shared/route.ts';
import type { pluginRoutes } from '../../../../shared/routes/plugin.ts';
import { appError } from '../../../http/errors.ts';
import type { Db } from '../../schema.ts';
import { type Counted, countProperties } from './facet-store.ts';
import { activeFilters, countValues, filtered, type ListFilters, queriesOf } from './filters.ts';
import { foldName } from './lexemes.ts';
import { type KeywordQuery, queryOfKeyword } from './query.ts';
import { queryOfSimilar } from './similar.ts';
import { readListed } from './store.ts';

type FacetsQuery = QueryOf<(typeof pluginRoutes)['listFacets']>;

/** Values of a filter that are told. */
const VALUES_MAX = 40;

/**
 * Counts the values of each filter of a list: how many plugins there are with the value and all other filters. Further tags
 * narrow a list, other values take the place of the chosen one.
 * @param today milliseconds since 1970
 * @throws TAG_NOT_FOUND
 */
export async function listFacets(db: Db, query: FacetsQuery, today: number): Promise<Facet[]> {
  const { tag_id: tagId } = query;
  const keyword = foldName(query.keyword);
  const listed = await readListed(db, tagId);
  if (listed === undefined) throw appError('TAG_NOT_FOUND');
  const countIn = (words: KeywordQuery | undefined, filters: ListFilters) => {
    const queries = queriesOf(filters, today);
    if (!words && keyword !== '') return NOTHING;
    const sought = words || queries.length > 0 ? filtered(words, queries, tagId) : undefined;
    return countProperties(db, sought, { tagId, listed });
  };
  const plain = queryOfKeyword(keyword, tagId);
  const first = await countIn(plain, query);
  const similar = first.total === 0 && keyword !== '' ? await queryOfSimilar(db, keyword, tagId) : undefined;
  const words = similar ?? plain;
  const [all, ...others] = await Promise.all([
    similar ? countIn(similar, query) : first,
    ...activeFilters(query).map((name) => countIn(words, { ...query, [name]: undefined })),
  ]);
  const without = new Map(activeFilters(query).map((name, index) => [name, others[index] ?? all]));
  return FILTER_NAMES.map((name) =>
    facetOf(name, {
      all,
      without: without.get(name) ?? all,
      today,
      shown: [...(query.tags ?? '').split(','), `${tagId}`],
    }),
  );
}

const NOTHING: Counted = { total: 0, counts: new Map(), scale: 1 };

function facetOf(
  name: FilterName,
  { all, without, today, shown }: { all: Counted; without: Counted; today: number; shown: readonly string[] },
): Facet {
  const counted = name === 'tags' ? all : without;
  const values = countValues(name, counted.counts, today)
    .filter(({ value }) => name !== 'tags' || !shown.includes(value))
    .slice(0, VALUES_MAX);
  const total = scaled(without.total, without.scale);
  return {
    name,
    without: total.count,
    is_estimated: total.is_estimated,
    value_list: values.map(({ value, count }) => ({ value, ...scaled(count, counted.scale) })),
  };
}

/** A count of a sample for the whole list; above what totals tell exactly it is a lower bound, as they are. */
function scaled(count: number, scale: number): { count: number; is_estimated: boolean } {
  const whole = Math.round(count * scale);
  return { count: Math.min(whole, TOTAL_EXACT_UP_TO), is_estimated: scale > 1 || whole > TOTAL_EXACT_UP_TO };
}
