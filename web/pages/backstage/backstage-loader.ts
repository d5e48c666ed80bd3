import type { PageLoader } from '../../api/page-loader.ts';
import { queryOptionsOf } from '../../api/queries.ts';

/** Whether the viewer is an administrator. */
export const backstageLoader: PageLoader = (client) => [
  client.ensureQueryData(queryOptionsOf('verifyUser', {})),
];
