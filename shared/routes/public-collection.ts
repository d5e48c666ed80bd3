import { type Static, Type } from 'typebox';
import { COLLECTION_SLUG, PAGE_SIZE_MAX } from '../constants.ts';
import { Cursor, Id, Nullable, PluginKey, Timestamp } from '../entities/base.ts';
import { route } from '../route.ts';
import { Collection, CollectionKey, PublicCollection } from './collection.ts';

export const CollectionSlug = Type.String({
  pattern: COLLECTION_SLUG.pattern,
  maxLength: COLLECTION_SLUG.max,
});

const SitemapCollection = Type.Object({
  collection_key: CollectionKey,
  slug: Type.Optional(CollectionSlug),
  updated_at: Timestamp,
});
export type SitemapCollection = Static<typeof SitemapCollection>;

/** Collections that everybody may find: those of the editors, and what users share with everybody. */
export const publicCollectionRoutes = {
  listEditorsCollections: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/collection/editors/list',
    access: 'all',
    cache: 30,
    summary: 'Published collections of the editors in their order, up to 100; without empty ones',
    data: Type.Object({ collection_list: Type.Array(PublicCollection) }),
  }),
  readEditorsCollection: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/collection/editors',
    access: 'all',
    cache: 5,
    compress: true,
    summary: 'A collection of the editors by the address of its page',
    query: Type.Object({ slug: CollectionSlug }),
    data: Collection,
  }),
  listPublicCollections: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/collection/public/list',
    access: 'all',
    cache: 30,
    summary:
      'What users, or one of them, share with everybody, last changed first; without hidden and empty ones',
    query: Type.Object({
      user_id: Type.Optional(Id),
      cursor: Type.Optional(Cursor),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX })),
    }),
    data: Type.Object({ collection_list: Type.Array(PublicCollection), next_cursor: Nullable(Cursor) }),
  }),
  listCollectionsWith: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/collection/with/list',
    access: 'all',
    cache: 30,
    summary:
      'Up to 6 collections with a plugin that everybody may read: those of the editors, then the latest',
    query: Type.Object({ plugin_key: PluginKey }),
    data: Type.Object({ collection_list: Type.Array(PublicCollection) }),
  }),
  listSitemapCollections: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/collection/sitemap',
    access: 'all',
    summary: 'Addresses of the collections that everybody may find, at most 10,000 of users',
    data: Type.Object({ collection_list: Type.Array(SitemapCollection) }),
  }),
};
