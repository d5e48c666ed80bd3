import { COLLECTIONS_PATH } from '../../../shared/constants.ts';
import { collectionQuery, editorsCollectionQuery } from '../../features/collections/collections-queries.ts';
import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: '/plugins/collection/:collection_key',
    load: async () => (await import('./collection-page.tsx')).CollectionPage,
    loader: (client, { params: { collection_key = '' } }) => [
      client.ensureQueryData(collectionQuery(collection_key)),
    ],
  },
  {
    path: `${COLLECTIONS_PATH}/:slug`,
    load: async () => (await import('./collection-page.tsx')).EditorsCollectionPage,
    loader: (client, { params: { slug = '' } }) => [client.ensureQueryData(editorsCollectionQuery(slug))],
  },
];
