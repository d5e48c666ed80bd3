import { Type } from 'typebox';
import { PAGE_SIZE, PAGE_SIZE_MAX, PUBLISHER_NEWS, SOURCES, TEXT_LIMITS } from '../constants.ts';
import { Cursor, Id, LanguageName, Nothing, Nullable, PluginKey, withDefault } from '../entities/base.ts';
import { HostName } from '../entities/host.ts';
import {
  ListingEvent,
  PluginCard,
  PluginDetail,
  PluginPage,
  PluginState,
  PluginVersion,
  RemovedPlugin,
  Suggestions,
  Tag,
} from '../entities/plugin.ts';
import { Facet, PluginFilters } from '../entities/plugin-filters.ts';
import { PublicUser } from '../entities/user.ts';
import { LANGUAGES } from '../languages.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

const Exact = Type.Optional(
  Type.Literal(1, { description: 'Only the keyword itself, no similar words where nothing matches it' }),
);

/** Browsing, installing and liking. */
export const pluginRoutes = {
  listPlugins: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/list',
    access: 'all',
    client: true,
    scope: 'plugins:read',
    cache: 5,
    compress: true,
    summary: 'Published plugins by tag, keyword and filters, sorted, page by page',
    query: Type.Object({
      tag_id: Type.Integer({ minimum: 0, maximum: 2147483647, default: 0 }),
      keyword: Type.String({ maxLength: TEXT_LIMITS.keyword, default: '' }),
      sort: Type.Optional(
        Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)], {
          description:
            '0 latest update, 1 most popular, 2 relevance to the keyword; without it 2, and without a keyword 0 for 2',
        }),
      ),
      exact: Exact,
      ...PluginFilters,
      cursor: Type.Optional(Cursor),
      limit: Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX, default: PAGE_SIZE }),
    }),
    data: PluginPage,
  }),
  suggestPlugins: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/suggestion/list',
    access: 'all',
    cache: 30,
    shared: 60,
    summary: 'Plugins, publishers and tags that a search may mean, while it is typed',
    query: Type.Object({
      keyword: Type.String({ maxLength: TEXT_LIMITS.keyword }),
      /** In the address, since every cache may keep the response. */
      language: Type.Enum(LANGUAGES),
    }),
    data: Suggestions,
  }),
  listFacets: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/list/facet',
    access: 'all',
    cache: 30,
    compress: true,
    summary: 'The filters of a list of plugins, and how many there would be with each of their values',
    query: Type.Object({
      tag_id: Type.Integer({ minimum: 0, maximum: 2147483647, default: 0 }),
      keyword: Type.String({ maxLength: TEXT_LIMITS.keyword, default: '' }),
      exact: Exact,
      ...PluginFilters,
    }),
    data: Type.Object({ facet_list: Type.Array(Facet) }),
  }),
  listTags: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/tag/list',
    access: 'all',
    client: true,
    cache: 5,
    summary: 'Tags of the catalogue',
    data: Type.Object({ tag_list: Type.Array(Tag) }),
  }),
  readTagPage: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/tag',
    access: 'all',
    cache: 60,
    compress: true,
    summary: 'What the page of a tag begins with: its introduction, and recommended and trending plugins',
    query: Type.Object({ tag_id: Type.Integer({ minimum: 1, maximum: 2147483647 }) }),
    data: Type.Object({
      /** Empty without one. */
      intro: Type.String(),
      intro_lang: LanguageName,
      plugin_list: Type.Array(PluginCard),
    }),
  }),
  readPlugin: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin',
    access: 'all',
    client: true,
    scope: 'plugins:read',
    cache: 5,
    summary: 'A plugin with all details',
    query: Type.Object({ plugin_key: PluginKey }),
    data: PluginDetail,
  }),
  readPublisherNews: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/publisher/news',
    access: 'all',
    cache: 5,
    compress: true,
    summary: `The ${PUBLISHER_NEWS} published plugins of a publisher that were updated last`,
    query: Type.Object({ publisher_id: Id }),
    data: Type.Object({ publisher: PublicUser, plugin_list: Type.Array(PluginCard) }),
  }),
  listRecommended: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/recommendation/list',
    access: 'all',
    client: true,
    scope: 'plugins:read',
    cache: 5,
    compress: true,
    summary: 'Recommended plugins; a larger `page` refreshes the selection',
    query: Type.Object({ page: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }) }),
    data: Type.Object({ plugin_list: Type.Array(PluginCard), page_count: Type.Integer(withDefault(1)) }),
  }),
  listTrending: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/trending/list',
    access: 'all',
    cache: 60,
    compress: true,
    summary: 'The 24 published plugins that are wanted most now, those in the language of the request first',
    query: Type.Object({
      is_new: Type.Optional(Type.Literal(1, { description: 'Only plugins first published within 60 days' })),
    }),
    data: Type.Object({ plugin_list: Type.Array(PluginCard) }),
  }),
  listSimilar: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/similar',
    access: 'all',
    cache: 60,
    summary:
      'Published plugins that users of a plugin have too, then those with the same words, then the most popular of its first tag',
    query: Type.Object({ plugin_key: PluginKey }),
    data: Type.Object({ plugin_list: Type.Array(PluginCard) }),
  }),
  listRemoved: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/removed',
    access: 'all',
    cache: 5,
    summary: 'Plugins and versions that were withdrawn after they had been published, latest first',
    query: Type.Object({
      /** Only what was withdrawn of one plugin. */
      plugin_key: Type.Optional(PluginKey),
      ...paging,
    }),
    data: Type.Object({ next_cursor: Nullable(Cursor), removed_list: Type.Array(RemovedPlugin) }),
  }),
  listVersions: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/version/list',
    access: 'all',
    client: true,
    cache: 5,
    compress: true,
    summary: 'Version history of a plugin, newest first; with `host`, those that work in it',
    query: Type.Object({ plugin_key: PluginKey, host: Type.Optional(HostName) }),
    data: Type.Object({ version_list: Type.Array(PluginVersion) }),
  }),
  listHistory: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/history',
    access: 'all',
    cache: 60,
    compress: true,
    summary: 'What changed in the listing of a plugin, newest first',
    query: Type.Object({ plugin_key: PluginKey, ...paging }),
    data: Type.Object({ next_cursor: Nullable(Cursor), event_list: Type.Array(ListingEvent) }),
  }),
  installPlugin: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/user',
    access: 'user',
    client: true,
    scope: 'plugins:install',
    summary:
      'Install a plugin, or try an own one before it is public; 409 if the published version has more rights than the seen one',
    body: Type.Object({
      plugin_key: PluginKey,
      /** The version whose rights the user has seen; by default the published one. */
      version: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      /** Where the user came from; tools are known as such. */
      source: Type.Optional(Type.Enum(SOURCES)),
    }),
    data: PluginState,
  }),
  uninstallPlugin: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/plugin/user',
    access: 'user',
    client: true,
    scope: 'plugins:install',
    summary: 'Uninstall a plugin; can be repeated',
    body: Type.Object({ plugin_key: PluginKey }),
    data: PluginState,
  }),
  praisePlugin: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/user/praise',
    access: 'user',
    summary: 'Like (1) or unlike (-1) a plugin',
    body: Type.Object({ plugin_key: PluginKey, praise: Type.Union([Type.Literal(1), Type.Literal(-1)]) }),
    data: PluginState,
  }),
  recordView: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/view',
    access: 'all',
    summary: 'Record a view of a plugin',
    body: Type.Object({
      plugin_key: PluginKey,
      /** Where the visitor came from; `direct` by default. */
      source: Type.Optional(Type.Enum(SOURCES)),
      /** What they searched for, with the source `search`. */
      keyword: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.keyword })),
    }),
    data: Nothing,
  }),
  readMedia: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/media/{name}',
    access: 'all',
    client: true,
    file: true,
    summary: 'A stored picture or video by its content address',
    params: Type.Object({
      name: Type.String({
        pattern: '^[0-9a-f]{32}(?:[0-9a-f]{32})?(-[0-9]{2,4})?\\.(webp|mp4|webm|png|jpg)$',
      }),
    }),
  }),
};
