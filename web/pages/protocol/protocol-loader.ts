import type { PageLoader } from '../../api/page-loader.ts';
import { queryOptionsOf } from '../../api/queries.ts';

/** The protocol page is its text. */
export const protocolLoader: PageLoader = (client) => [
  client.ensureQueryData(queryOptionsOf('readProtocol', {})),
];

/** The documentation for developers is its text too. */
export const developerDocsLoader: PageLoader = (client) => [
  client.ensureQueryData(queryOptionsOf('readDeveloperDocs', {})),
];
