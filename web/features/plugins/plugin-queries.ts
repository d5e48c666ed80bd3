import { infiniteQueryOptionsOf, queryOptionsOf } from '../../api/queries.ts';
import { listPayload, type PluginFilter } from './plugin-filter.ts';

/** Plugins of a filter, page by page. */
export const pluginsQuery = (filter: PluginFilter) =>
  infiniteQueryOptionsOf('listPlugins', listPayload(filter));

/** A selection of recommended plugins; each `page` is another selection. */
export const recommendedQuery = (page: number) => queryOptionsOf('listRecommended', { page });

export const tagsQuery = () => queryOptionsOf('listTags', {});

export const pluginQuery = (pluginKey: string) => queryOptionsOf('readPlugin', { plugin_key: pluginKey });

export const versionsQuery = (pluginKey: string) => queryOptionsOf('listVersions', { plugin_key: pluginKey });

/** What was withdrawn after it had been published, latest first: of one plugin, or of all. */
export const removedQuery = (pluginKey?: string) =>
  infiniteQueryOptionsOf('listRemoved', pluginKey === undefined ? {} : { plugin_key: pluginKey });
