import { LOGIN_PATH } from '../../../shared/constants.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: LOGIN_PATH,
    load: async () => (await import('./sign-in-page.tsx')).SignInPage,
    isBare: true,
    /** None without a return URL. */
    loader: (client, { url }) =>
      url.searchParams.get('redirect_uri')
        ? [client.ensureQueryData(queryOptionsOf('readSignInOptions', {}))]
        : [],
  },
];
