import { isApiError } from '../../api/api-error.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { pluginQuery, removedQuery, versionsQuery } from '../../features/plugins/plugin-queries.ts';
import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: '/plugins/plugin/:plugin_key',
    load: async () => (await import('./plugin-page.tsx')).PluginPage,
    /** A plugin with its versions and contact. */
    loader: (client, { params: { plugin_key = '' } }) => [
      client.ensureQueryData(pluginQuery(plugin_key)).catch((error: unknown) => {
        if (isApiError(error) && error.status === 410)
          return client.ensureInfiniteQueryData(removedQuery(plugin_key));
        throw error;
      }),
      client.ensureQueryData(versionsQuery(plugin_key)),
      client.ensureQueryData(queryOptionsOf('readContact', {})),
    ],
  },
];
