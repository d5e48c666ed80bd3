import { PUBLISHER_PATH } from '../../../shared/constants.ts';
import { publisherPluginsQuery, publisherQuery, publisherSortOf } from '../../features/publishers/index.ts';
import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: `${PUBLISHER_PATH}:handle`,
    load: async () => (await import('./publisher-page.tsx')).PublisherPage,
    loader: (client, { params: { handle = '' }, url }) => [
      client.ensureQueryData(publisherQuery(handle)),
      client.ensureInfiniteQueryData(publisherPluginsQuery(handle, publisherSortOf(url.searchParams))),
    ],
  },
];
