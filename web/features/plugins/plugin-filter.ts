import { ALL_TAG_ID, PAGE_SIZE, SORT_LATEST, SORT_POPULAR, TEXT_LIMITS } from '../../../shared/constants.ts';

/** The filter of a plugin list, stored in the page's query. */
export type PluginFilter = { tag_id: number; keyword: string; sort: 0 | 1 };

const LARGEST_ID = 2_147_483_647;

/** Parses the filter of a URL; invalid values count as absent. */
export function filterOf(query: URLSearchParams): PluginFilter {
  const tagId = Number(query.get('tag_id') ?? ALL_TAG_ID);
  return {
    tag_id: Number.isInteger(tagId) && tagId > 0 && tagId <= LARGEST_ID ? tagId : ALL_TAG_ID,
    keyword: [...(query.get('keyword') ?? '').trim()].slice(0, TEXT_LIMITS.keyword).join(''),
    sort: query.get('sort') === String(SORT_POPULAR) ? SORT_POPULAR : SORT_LATEST,
  };
}

/** The query of a URL with this filter, '' for the plain home page. */
export function queryOf({ tag_id, keyword, sort }: PluginFilter): string {
  const query = new URLSearchParams();
  if (keyword !== '') query.set('keyword', keyword);
  if (tag_id !== ALL_TAG_ID) query.set('tag_id', String(tag_id));
  if (sort !== SORT_LATEST) query.set('sort', String(sort));
  return query.size === 0 ? '' : `?${query}`;
}

/** True when neither tag nor keyword hides a plugin. */
export function isUnfiltered({ tag_id, keyword }: PluginFilter): boolean {
  return tag_id === ALL_TAG_ID && keyword === '';
}

/** Parameters of the list call. The dehydrated query and the browser's must be identical to share a cache key. */
export function listPayload(filter: PluginFilter) {
  return { ...filter, limit: PAGE_SIZE };
}
