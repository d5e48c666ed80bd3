import { FILTER_NAMES, type FilterName, TOTAL_EXACT_UP_TO } from '../../../../shared/constants.ts';
import type { Facet } from '../../../../shared/entities/plugin-filters.ts';
import type { QueryOf } from '../../../../shared/route.ts';
import type { pluginRoutes } from '../../../../shared/routes/plugin.ts';
import { appError } from '../../../http/errors.ts';
import type { Db } from '../../schema.ts';
import { readBeginnings } from './beginnings.ts';
import { type Counted, countProperties } from './facet-store.ts';
import { activeFilters, countValues, filtered, type ListFilters, queriesOf } from './filters.ts';
import { foldName } from './lexemes.ts';
import { type KeywordQuery, queryOfKeyword, UNREAD } from './query.ts';
import { findSimilar } from './similar.ts';
import { readListed } from './store.ts';

type FacetsQuery = QueryOf<(typeof pluginRoutes)['listFacets']>;

/** Values of a filter that are told. */
const VALUES_MAX = 40;

/**
 * Counts the values of each filter of a list: how many plugins there are with the value and all other filters. Further tags
 * narrow a list, other values take the place of the chosen one.
 * @param today milliseconds since 1970
 * @param readings of kanji in the keyword
 * @throws TAG_NOT_FOUND
 */
export async function listFacets(
  db: Db,
  query: FacetsQuery,
  today: number,
  readings = UNREAD,
): Promise<Facet[]> {
  const { tag_id: tagId, exact } = query;
  const keyword = foldName(query.keyword);
  const listed = await readListed(db, tagId);
  if (listed === undefined) throw appError('TAG_NOT_FOUND');
  const active = activeFilters(query);
  const sets: ListFilters[] = [query, ...active.map((name) => ({ ...query, [name]: undefined }))];
  const countIn = (words: KeywordQuery | undefined) => {
    const sought = sets.map((filters) => {
      const queries = queriesOf(filters, today);
      return words || queries.length > 0 ? filtered(words, queries, tagId) : undefined;
    });
    return countProperties(db, sought, { tagId, listed });
  };
  const beginnings = await readBeginnings(db, keyword, { tagId, filters: active, readings });
  const plain = queryOfKeyword(keyword, tagId, readings, beginnings);
  const isSearchable = plain !== undefined || keyword === '';
  const found = isSearchable ? await countIn(plain) : [];
  const isMissing = exact === undefined && plain !== undefined && found.every(({ total }) => total === 0);
  const similar = isMissing ? (await findSimilar(db, keyword, tagId, readings))?.query : undefined;
  const [all = NOTHING, ...others] = similar ? await countIn(similar) : found;
  const without = new Map(active.map((name, index) => [name, others[index] ?? all]));
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
