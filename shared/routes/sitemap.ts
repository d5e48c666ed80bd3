import { Type } from 'typebox';
import { PluginKey, Timestamp } from '../entities/base.ts';
import { route } from '../route.ts';

/** What sitemaps are made of: published plugins by ranges of their numbers. */
export const sitemapRoutes = {
  listSitemapRanges: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/sitemap/ranges',
    access: 'all',
    summary: 'Ranges that hold published plugins, by number',
    data: Type.Object({ range_list: Type.Array(Type.Integer()) }),
  }),
  listSitemapPlugins: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/sitemap',
    access: 'all',
    summary: 'Published plugins of one range, at most 1,000',
    query: Type.Object({ range: Type.Integer({ minimum: 0, maximum: 49_999 }) }),
    data: Type.Object({
      plugin_list: Type.Array(Type.Object({ plugin_key: PluginKey, updated_at: Timestamp })),
    }),
  }),
};
