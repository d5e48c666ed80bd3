import { infiniteQueryOptionsOf, queryOptionsOf } from '../../api/queries.ts';
import { facetsPayload, listPayload, type PluginFilter } from './plugin-filter.ts';

/** Plugins of a filter, page by page. */
export const pluginsQuery = (filter: PluginFilter) =>
  infiniteQueryOptionsOf('listPlugins', listPayload(filter));

/** How many plugins there would be with each value of each filter. */
export const facetsQuery = (filter: PluginFilter) => queryOptionsOf('listFacets', facetsPayload(filter));

/** A selection of recommended plugins; each `page` is another selection. */
export const recommendedQuery = (page: number) => queryOptionsOf('listRecommended', { page });

/** What is wanted most now, of all plugins or of new ones. */
export const trendingQuery = (isNew: boolean) => queryOptionsOf('listTrending', isNew ? { is_new: 1 } : {});

/** What the page of a tag has above its list. */
export const tagPageQuery = (tagId: number) => queryOptionsOf('readTagPage', { tag_id: tagId });

export const tagsQuery = () => queryOptionsOf('listTags', {});

export const pluginQuery = (pluginKey: string) => queryOptionsOf('readPlugin', { plugin_key: pluginKey });

export const versionsQuery = (pluginKey: string) => queryOptionsOf('listVersions', { plugin_key: pluginKey });

/** What happened to a listing, latest first. */
export const historyQuery = (pluginKey: string) =>
  infiniteQueryOptionsOf('listHistory', { plugin_key: pluginKey });

/** What was withdrawn after it had been published, latest first: of one plugin, or of all. */
export const removedQuery = (pluginKey?: string) =>
  infiniteQueryOptionsOf('listRemoved', pluginKey === undefined ? {} : { plugin_key: pluginKey });
