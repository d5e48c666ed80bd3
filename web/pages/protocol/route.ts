import { DOCS_PATH } from '../../../shared/constants.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: '/plugins/protocol',
    load: async () => (await import('./protocol-page.tsx')).ProtocolPage,
    loader: (client) => [client.ensureQueryData(queryOptionsOf('readProtocol', {}))],
  },
  {
    path: DOCS_PATH,
    load: async () => (await import('./protocol-page.tsx')).DeveloperDocsPage,
    loader: (client) => [client.ensureQueryData(queryOptionsOf('readDeveloperDocs', {}))],
  },
];
