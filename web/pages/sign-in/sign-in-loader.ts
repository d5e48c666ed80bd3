import type { PageLoader } from '../../api/page-loader.ts';
import { queryOptionsOf } from '../../api/queries.ts';

/** What the sign-in page offers; without a way back it shows none of it. */
export const signInLoader: PageLoader = (client, { url }) =>
  url.searchParams.get('redirect_uri')
    ? [client.ensureQueryData(queryOptionsOf('readSignInOptions', {}))]
    : [];
