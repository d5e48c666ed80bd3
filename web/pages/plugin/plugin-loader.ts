import type { PageLoader } from '../../api/page-loader.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { pluginQuery, versionsQuery } from '../../features/plugins/plugin-queries.ts';

/** A plugin with its versions, and whom to write to. */
export const pluginLoader: PageLoader = (client, { params: { plugin_key = '' } }) => [
  client.ensureQueryData(pluginQuery(plugin_key)),
  client.ensureQueryData(versionsQuery(plugin_key)),
  client.ensureQueryData(queryOptionsOf('readContact', {})),
];
