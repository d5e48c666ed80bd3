import { ALL_TAG_ID, PAGE_SIZE, SORT_LATEST, SORT_POPULAR, TEXT_LIMITS } from '../../../shared/constants.ts';

/**
 * The filter of a plugin list, stored in the page's query. Without a chosen order, a search is sorted by relevance and
 * other lists by latest update.
 */
export type PluginFilter = {
  tag_id: number;
  keyword: string;
  sort?: Sort | undefined;
  /** 1 for the keyword itself, without similar words where nothing matches it. */
  exact?: 1 | undefined;
};

type Sort = typeof SORT_LATEST | typeof SORT_POPULAR;
const SORTS: readonly Sort[] = [SORT_LATEST, SORT_POPULAR];

const LARGEST_ID = 2_147_483_647;

/** Parses the filter of a URL; invalid values count as absent. */
export function pluginFilterOf(query: URLSearchParams): PluginFilter {
  const tagId = Number(query.get('tag_id') ?? ALL_TAG_ID);
  return withoutDefault({
    tag_id: Number.isInteger(tagId) && tagId > 0 && tagId <= LARGEST_ID ? tagId : ALL_TAG_ID,
    keyword: [...(query.get('keyword') ?? '').trim()].slice(0, TEXT_LIMITS.keyword).join(''),
    sort: SORTS.find((sort) => query.get('sort') === String(sort)),
    exact: query.get('exact') === '1' ? 1 : undefined,
  });
}

/**
 * The filter with a part changed. An order that was chosen for a list does not count for a search, nor the other way round:
 * a search begins with what fits best.
 */
export function changedFilter(filter: PluginFilter, change: Partial<PluginFilter>): PluginFilter {
  const isOther = change.keyword !== undefined && change.keyword !== filter.keyword;
  const changed = { ...filter, ...(isOther && { exact: undefined }), ...change };
  const isOtherKind = (filter.keyword === '') !== (changed.keyword === '');
  return withoutDefault(isOtherKind ? { ...changed, sort: change.sort } : changed);
}

/** The filter without the order that its list has anyway, so that equal lists have one address and one query. */
function withoutDefault({ sort, exact, ...rest }: PluginFilter): Plain {
  const isDefault = sort === undefined || (rest.keyword === '' && sort === SORT_LATEST);
  return {
    ...rest,
    ...(!isDefault && { sort }),
    ...(exact !== undefined && rest.keyword !== '' && { exact }),
  };
}

type Plain = Pick<PluginFilter, 'tag_id' | 'keyword'> & { sort?: Sort; exact?: 1 };

/** The query of a URL with this filter, '' for the plain home page. */
export function queryOf(filter: PluginFilter): string {
  const { tag_id, keyword, sort, exact } = withoutDefault(filter);
  const query = new URLSearchParams();
  if (keyword !== '') query.set('keyword', keyword);
  if (tag_id !== ALL_TAG_ID) query.set('tag_id', String(tag_id));
  if (sort !== undefined) query.set('sort', String(sort));
  if (exact !== undefined) query.set('exact', String(exact));
  return query.size === 0 ? '' : `?${query}`;
}

/** True when neither tag nor keyword hides a plugin. */
export function isUnfiltered({ tag_id, keyword }: PluginFilter): boolean {
  return tag_id === ALL_TAG_ID && keyword === '';
}

/** Parameters of the list call. The dehydrated query and the browser's must be identical to share a cache key. */
export function listPayload(filter: PluginFilter) {
  return { ...withoutDefault(filter), limit: PAGE_SIZE };
}
