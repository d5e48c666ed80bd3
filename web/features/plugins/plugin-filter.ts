import {
  ALL_TAG_ID,
  FILTER_NAMES,
  FILTER_TAGS_MAX,
  type FilterName,
  PAGE_SIZE,
  REACHES,
  SORT_LATEST,
  SORT_POPULAR,
  SORT_RELEVANCE,
  TEXT_LIMITS,
  UPDATED_WITHIN,
} from '../../../shared/constants.ts';
import { LANGUAGES } from '../../../shared/languages.ts';
import type { PayloadFor } from '../../api/client.ts';

/** What of a list is shown besides tag and keyword, as the list call names it. */
export type Choices = Pick<PayloadFor<'listPlugins'>, FilterName>;

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
} & {
  [Name in FilterName]?: Choices[Name] | undefined;
};

type Sort = typeof SORT_LATEST | typeof SORT_POPULAR | typeof SORT_RELEVANCE;
const SORTS: readonly Sort[] = [SORT_LATEST, SORT_POPULAR, SORT_RELEVANCE];

/** Names of filters in addresses that differ from those of the list call: `lang` is the language of the page there. */
const ADDRESS_NAMES: Partial<Record<FilterName, string>> = { lang: 'text_lang' };
const addressName = (name: FilterName): string => ADDRESS_NAMES[name] ?? name;

const LARGEST_ID = 2_147_483_647;
const TAGS = /^[1-9]\d{0,8}(?:,[1-9]\d{0,8})*$/;
const EDITOR = /^[a-z][a-z0-9-]{0,39}$/;

/** Parses the filter of a URL; invalid values count as absent. */
export function pluginFilterOf(query: URLSearchParams): PluginFilter {
  const tagId = Number(query.get('tag_id') ?? ALL_TAG_ID);
  const oneOf = <V extends string>(name: FilterName, values: readonly V[]): V | undefined =>
    values.find((value) => query.get(addressName(name)) === value);
  const like = (name: FilterName, form: RegExp): string | undefined =>
    form.exec(query.get(addressName(name)) ?? '')?.[0];
  return withoutDefault({
    tag_id: Number.isInteger(tagId) && tagId > 0 && tagId <= LARGEST_ID ? tagId : ALL_TAG_ID,
    keyword: [...(query.get('keyword') ?? '').trim()].slice(0, TEXT_LIMITS.keyword).join(''),
    sort: SORTS.find((sort) => query.get('sort') === String(sort)),
    exact: query.get('exact') === '1' ? 1 : undefined,
    tags: tagsText(tagsOf({ tags: like('tags', TAGS) })),
    reach: oneOf('reach', REACHES),
    warnings: oneOf('warnings', ['none']),
    verified: oneOf('verified', ['publisher']),
    editor: like('editor', EDITOR),
    lang: oneOf('lang', LANGUAGES),
    updated: oneOf('updated', UPDATED_WITHIN),
  });
}

/** The change that a value of a filter makes; none for what is not a value of it. */
export function choiceOf(name: FilterName, value: string): Partial<PluginFilter> {
  return { [name]: pluginFilterOf(new URLSearchParams([[addressName(name), value]]))[name] };
}

/** The further tags of a filter. */
export function tagsOf({ tags }: Pick<PluginFilter, 'tags'>): number[] {
  return tags === undefined ? [] : tags.split(',').map(Number);
}

/** The same as a text: equal tags are one address. */
export function tagsText(tags: readonly number[]): string | undefined {
  const sorted = [...new Set(tags)].sort((a, b) => a - b).slice(0, FILTER_TAGS_MAX);
  return sorted.length === 0 ? undefined : sorted.join(',');
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

/** The filter without what its list has anyway, so that equal lists have one address and one query. */
function withoutDefault({ sort, exact, tag_id, keyword, ...filter }: PluginFilter) {
  const usual = keyword === '' ? [SORT_LATEST, SORT_RELEVANCE] : [SORT_RELEVANCE];
  const isDefault = sort === undefined || usual.some((order) => order === sort);
  return {
    tag_id,
    keyword,
    ...(!isDefault && { sort }),
    ...(exact !== undefined && keyword !== '' && { exact }),
    ...choicesOf(filter),
  };
}

/** The filters that are set. */
export function choicesOf(filter: Partial<PluginFilter>): Choices {
  const { tags, reach, warnings, verified, editor, lang, updated } = filter;
  return {
    ...(tags !== undefined && { tags }),
    ...(reach !== undefined && { reach }),
    ...(warnings !== undefined && { warnings }),
    ...(verified !== undefined && { verified }),
    ...(editor !== undefined && { editor }),
    ...(lang !== undefined && { lang }),
    ...(updated !== undefined && { updated }),
  };
}

/** The change that takes all filters away; tag and keyword stay. */
export const NO_CHOICES = {
  tags: undefined,
  reach: undefined,
  warnings: undefined,
  verified: undefined,
  editor: undefined,
  lang: undefined,
  updated: undefined,
} as const satisfies { [Name in FilterName]: undefined };

/** The query of a URL with this filter, '' for the plain home page. */
export function queryOf(filter: PluginFilter): string {
  const { tag_id, keyword, sort, exact, ...choices } = withoutDefault(filter);
  const query = new URLSearchParams();
  if (keyword !== '') query.set('keyword', keyword);
  if (tag_id !== ALL_TAG_ID) query.set('tag_id', String(tag_id));
  for (const name of FILTER_NAMES) {
    const value = choices[name];
    if (value !== undefined) query.set(addressName(name), value);
  }
  if (sort !== undefined) query.set('sort', String(sort));
  if (exact !== undefined) query.set('exact', String(exact));
  return query.size === 0 ? '' : `?${query}`;
}

/** Whether anything but tag and keyword hides plugins. */
export function hasChoices(filter: PluginFilter): boolean {
  return FILTER_NAMES.some((name) => filter[name] !== undefined);
}

/** True when nothing hides a plugin. */
export function isUnfiltered(filter: PluginFilter): boolean {
  return filter.tag_id === ALL_TAG_ID && filter.keyword === '' && !hasChoices(filter);
}

/** True for the page of a tag: its list without anything else that hides plugins. */
export function isOnlyTag(filter: PluginFilter): boolean {
  return filter.tag_id !== ALL_TAG_ID && filter.keyword === '' && !hasChoices(filter);
}

/** Parameters of the list call. The dehydrated query and the browser's must be identical to share a cache key. */
export function listPayload(filter: PluginFilter) {
  return { ...withoutDefault(filter), limit: PAGE_SIZE };
}

/** Parameters of the call that counts the values of filters. */
export function facetsPayload({ sort: _, ...filter }: PluginFilter) {
  return withoutDefault(filter);
}
