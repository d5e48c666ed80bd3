import { type Static, Type } from 'typebox';
import { COLLECTION_ACCESS, COLLECTION_LIMITS, TEXT_LIMITS } from '../constants.ts';
import { Id, LanguageName, Nothing, Nullable, PluginKey, REQUIRED, Timestamp } from '../entities/base.ts';
import { Picture, PluginCard } from '../entities/plugin.ts';
import { ReportReason } from '../entities/site.ts';
import { PublicUser } from '../entities/user.ts';
import { route } from '../route.ts';

export const CollectionKey = Type.String({ pattern: '^[A-Za-z0-9_-]{16}$', ...REQUIRED });
const Access = Type.Enum(COLLECTION_ACCESS);

const summary = {
  collection_key: CollectionKey,
  title: Type.String(),
  description: Type.String(),
  access: Access,
  /** Kept by administrators from everybody but its owner. */
  is_hidden: Type.Boolean(),
  plugin_count: Type.Integer(),
  /** Icons of its first plugins, for its cover; null for one without. */
  icons: Type.Array(Type.Object({ name: Type.String(), icon: Nullable(Picture) })),
  updated_at: Timestamp,
  /** Of one of the editors: the last part of the address of its page. Others have none. */
  slug: Type.Optional(Type.String()),
  /** Languages of the texts of one of the editors. */
  title_lang: Type.Optional(LanguageName),
  description_lang: Type.Optional(LanguageName),
  /** Its cover, in place of the icons. */
  picture: Type.Optional(Picture),
};

export const CollectionSummary = Type.Object({
  ...summary,
  /** Whether it has the plugin that was asked for. */
  has_plugin: Type.Boolean(),
});
export type CollectionSummary = Static<typeof CollectionSummary>;

/** In lists for everybody. */
export const PublicCollection = Type.Object({ ...summary, owner: PublicUser });
export type PublicCollection = Static<typeof PublicCollection>;

/** A plugin that somebody has put into a list. */
export const CollectedPlugin = Type.Object({
  plugin: PluginCard,
  /** Still published; others do not see what is not, and nobody installs it. */
  is_available: Type.Boolean(),
  /** What its published version may reach. */
  domains: Type.Array(Type.String()),
  permissions: Type.Array(Type.String()),
});

export const Collection = Type.Object({
  ...summary,
  /** Nobody, with an empty name, of one of the editors. */
  owner: PublicUser,
  /** Whether the caller may change it. */
  is_own: Type.Boolean(),
  plugin_list: Type.Array(CollectedPlugin),
});
export type Collection = Static<typeof Collection>;

const ReportedCollection = Type.Object({
  ...summary,
  owner: PublicUser,
  report_list: Type.Array(
    Type.Object({ id: Id, kind: ReportReason, reason: Type.String(), created_at: Timestamp }),
  ),
});
export type ReportedCollection = Static<typeof ReportedCollection>;

/** Collections of plugins that users make. */
export const collectionRoutes = {
  listOwnCollections: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/collection/list',
    access: 'user',
    summary: `The caller's collections, at most ${COLLECTION_LIMITS.collections}, last changed first; with a plugin, whether each has it`,
    query: Type.Object({ plugin_key: Type.Optional(PluginKey) }),
    data: Type.Object({ collection_list: Type.Array(CollectionSummary) }),
  }),
  readCollection: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/collection',
    access: 'all',
    compress: true,
    summary: 'A collection with its plugins in their order, and what they may reach',
    query: Type.Object({ collection_key: CollectionKey }),
    data: Collection,
  }),
  saveCollection: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/collection',
    access: 'user',
    summary: 'Make a collection, or change the given fields of one',
    body: Type.Object({
      collection_key: Type.Optional(CollectionKey),
      title: Type.Optional(Type.String({ maxLength: COLLECTION_LIMITS.title })),
      description: Type.Optional(Type.String({ maxLength: COLLECTION_LIMITS.description })),
      access: Type.Optional(Access),
    }),
    data: Type.Object({ collection_key: CollectionKey }),
  }),
  deleteCollection: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/collection',
    access: 'user',
    summary: "Delete a collection of the caller's; its plugins stay",
    body: Type.Object({ collection_key: CollectionKey }),
    data: Nothing,
  }),
  collectPlugin: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/collection/plugin',
    access: 'user',
    summary: `Add a plugin to a collection, up to ${COLLECTION_LIMITS.plugins}, or remove it; can be repeated`,
    body: Type.Object({ collection_key: CollectionKey, plugin_key: PluginKey, is_in: Type.Boolean() }),
    data: Nothing,
  }),
  orderCollection: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/collection/order',
    access: 'user',
    summary: 'Put all plugins of a collection in an order; 409 if it has others by now',
    body: Type.Object({
      collection_key: CollectionKey,
      plugin_keys: Type.Array(PluginKey, { maxItems: COLLECTION_LIMITS.plugins }),
    }),
    data: Nothing,
  }),
  installCollection: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/collection/install',
    access: 'user',
    summary: 'Install plugins of a collection, all or none; 409 if one may reach more than the seen version',
    body: Type.Object({
      collection_key: CollectionKey,
      plugins: Type.Array(
        Type.Object({ plugin_key: PluginKey, version: Type.String({ minLength: 1, maxLength: 64 }) }),
        { minItems: 1, maxItems: COLLECTION_LIMITS.plugins },
      ),
    }),
    data: Nothing,
  }),
  reportCollection: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/collection/report',
    access: 'user',
    rateLimit: 'report',
    summary: 'Report a collection to the administrators; an open report of the caller stays as it is',
    body: Type.Object({
      collection_key: CollectionKey,
      kind: ReportReason,
      reason: Type.String({ minLength: 1, maxLength: TEXT_LIMITS.reason }),
    }),
    data: Nothing,
  }),
  listReportedCollections: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/collection/list',
    access: 'admin',
    summary: 'Collections with open reports, the oldest first, or those that are hidden, up to 100',
    query: Type.Object({ state: Type.Enum(['reported', 'hidden']) }),
    data: Type.Object({ collection_list: Type.Array(ReportedCollection) }),
  }),
  hideCollection: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/collection/hidden',
    access: 'admin',
    summary: 'Hide a collection from everybody but its owner, or show it; decides its open reports',
    body: Type.Object({ collection_key: CollectionKey, is_hidden: Type.Boolean() }),
    data: Nothing,
  }),
};
