import { collectionQuery } from '../../features/collections/collections-queries.ts';
import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: '/plugins/collection/:collection_key',
    load: async () => (await import('./collection-page.tsx')).CollectionPage,
    loader: (client, { params: { collection_key = '' } }) => [
      client.ensureQueryData(collectionQuery(collection_key)),
    ],
  },
];
