import { COLLECTIONS_PATH } from '../../../shared/constants.ts';
import {
  editorsCollectionsQuery,
  publicCollectionsQuery,
} from '../../features/collections/collections-queries.ts';
import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: COLLECTIONS_PATH,
    load: async () => (await import('./collections-page.tsx')).CollectionsPage,
    loader: (client) => [
      client.ensureQueryData(editorsCollectionsQuery()),
      client.ensureInfiniteQueryData(publicCollectionsQuery()),
    ],
  },
];
