import { Type } from 'typebox';
import { PluginKey, Timestamp } from '../entities/base.ts';
import { route } from '../route.ts';

/** What search engines and share cards ask for: plugins by ranges of their numbers, and the pictures of cards. */
export const shareRoutes = {
  readShareImage: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/share/{plugin_key}/{name}',
    access: 'all',
    file: true,
    summary: 'The picture of a plugin for share cards, in a language; `v` changes with the plugin',
    params: Type.Object({
      plugin_key: PluginKey,
      name: Type.String({ pattern: '^(?:zh-CN|en-US|ja-JP|ko-KR|ru-RU|es-ES)\\.jpg$' }),
    }),
    query: Type.Object({ v: Type.Optional(Type.String({ pattern: '^[0-9a-z]{1,16}$' })) }),
  }),
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
