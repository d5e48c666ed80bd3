import { type Static, Type } from 'typebox';
import { COLLECTION_LIMITS } from '../constants.ts';
import { Id, LanguageName, Nothing, Nullable, PluginKey, TextsSchema } from '../entities/base.ts';
import { Picture } from '../entities/plugin.ts';
import { route } from '../route.ts';
import { CollectionKey } from './collection.ts';
import { CollectionSlug } from './public-collection.ts';

const texts = {
  title: TextsSchema(COLLECTION_LIMITS.title),
  description: TextsSchema(COLLECTION_LIMITS.description),
};

/** A collection of the editors in the administration. */
export const ManagedCollection = Type.Object({
  id: Id,
  collection_key: CollectionKey,
  slug: CollectionSlug,
  ...texts,
  default_lang: LanguageName,
  picture: Nullable(Picture),
  is_published: Type.Boolean(),
  /** With those that are not published. */
  plugin_count: Type.Integer(),
  icons: Type.Array(Type.Object({ name: Type.String(), icon: Nullable(Picture) })),
  /** Whether it has the plugin that was asked for. */
  has_plugin: Type.Boolean(),
});
export type ManagedCollection = Static<typeof ManagedCollection>;

/** Administration of the editors' collections; their plugins change like those of users' own. */
export const editorsCollectionRoutes = {
  listManagedCollections: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/collection/editors/list',
    access: 'admin',
    summary: 'All collections of the editors in their order; with a plugin, whether each has it',
    query: Type.Object({ plugin_key: Type.Optional(PluginKey) }),
    data: Type.Object({ collection_list: Type.Array(ManagedCollection) }),
  }),
  saveManagedCollection: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/collection/editors',
    access: 'admin',
    multipart: true,
    rateLimit: 'upload',
    summary:
      'Add a collection of the editors, or change the one of `id`, but for its address; file part `picture`',
    body: Type.Object({
      id: Type.Optional(Id),
      /** Of a new one. */
      slug: Type.Optional(CollectionSlug),
      title: Type.Optional(texts.title),
      description: Type.Optional(texts.description),
      default_lang: Type.Optional(LanguageName),
      is_published: Type.Optional(Type.Boolean()),
      /** Back to the cover that is made of icons. */
      remove_picture: Type.Optional(Type.Boolean()),
    }),
    data: ManagedCollection,
  }),
  orderManagedCollections: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/collection/editors/order',
    access: 'admin',
    summary: 'Reorder the collections of the editors',
    body: Type.Object({ ids: Type.Array(Id, { maxItems: 200 }) }),
    data: Nothing,
  }),
  deleteManagedCollection: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/manager/collection/editors',
    access: 'admin',
    summary: 'Delete a collection of the editors; its plugins stay',
    body: Type.Object({ id: Id }),
    data: Nothing,
  }),
};
