import { REMOVED_PATH } from '../../../shared/constants.ts';
import { removedQuery } from '../../features/plugins/plugin-queries.ts';
import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: REMOVED_PATH,
    load: async () => (await import('./removed-page.tsx')).RemovedPage,
    loader: (client) => [client.ensureInfiniteQueryData(removedQuery())],
  },
];
