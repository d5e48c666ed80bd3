import { BIND_PATH } from '../../../shared/constants.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import type { Page } from '../../layout/page.ts';
import { bindStartParameters } from './bind-parameters.ts';

export const pages: readonly Page[] = [
  {
    path: BIND_PATH,
    load: async () => (await import('./bind-page.tsx')).BindPage,
    isBare: true,
    /** Name of a document service whose account is to be bound. */
    loader: (client, { url }) =>
      bindStartParameters(url.searchParams)
        ? [client.ensureQueryData(queryOptionsOf('readSignInOptions', {}))]
        : [],
  },
];
