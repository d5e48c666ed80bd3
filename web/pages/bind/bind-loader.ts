import type { PageLoader } from '../../api/page-loader.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { bindStartParameters } from './bind-parameters.ts';

/** What a document service is called, where its account is to be bound. */
export const bindLoader: PageLoader = (client, { url }) =>
  bindStartParameters(url.searchParams)
    ? [client.ensureQueryData(queryOptionsOf('readSignInOptions', {}))]
    : [];
