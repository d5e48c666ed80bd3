import { BASE_PATH, COLLECTIONS_PATH } from '../../../shared/constants.ts';
import { infiniteQueryOptionsOf, queryOptionsOf } from '../../api/queries.ts';

/** The viewer's collections; with a plugin, whether each has it. */
export const ownCollectionsQuery = (pluginKey?: string) =>
  queryOptionsOf('listOwnCollections', pluginKey === undefined ? {} : { plugin_key: pluginKey }, {
    staleTime: 0,
  });

/** The editors' collections for administrators; with a plugin, whether each has it. */
export const managedCollectionsQuery = (pluginKey?: string) =>
  queryOptionsOf('listManagedCollections', pluginKey === undefined ? {} : { plugin_key: pluginKey });

export const collectionQuery = (key: string) => queryOptionsOf('readCollection', { collection_key: key });

export const editorsCollectionQuery = (slug: string) => queryOptionsOf('readEditorsCollection', { slug });

/** Published collections of the editors. */
export const editorsCollectionsQuery = () => queryOptionsOf('listEditorsCollections', {});

/** What users share with everybody, page by page. */
export const publicCollectionsQuery = () => infiniteQueryOptionsOf('listPublicCollections', {});

/** What one user shares with everybody, the latest first. */
export const sharedByQuery = (userId: number, limit: number) =>
  queryOptionsOf('listPublicCollections', { user_id: userId, limit });

/** Collections with a plugin that everybody may read. */
export const collectionsWithQuery = (pluginKey: string) =>
  queryOptionsOf('listCollectionsWith', { plugin_key: pluginKey });

export function collectionPath(key: string): string {
  return `${BASE_PATH}collection/${key}`;
}

/** The address of a collection's page; one of the editors has a readable one. */
export function pathOfCollection(collection: { collection_key: string; slug?: string | undefined }): string {
  const { collection_key, slug } = collection;
  return slug === undefined ? collectionPath(collection_key) : `${COLLECTIONS_PATH}/${slug}`;
}
