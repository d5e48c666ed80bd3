import type { PageLoader } from '../../api/page-loader.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { bannersQuery } from '../../features/banners/banners-query.ts';
import { isUnfiltered, pluginFilterOf } from '../../features/plugins/plugin-filter.ts';
import { pluginsQuery, recommendedQuery, tagsQuery } from '../../features/plugins/plugin-queries.ts';

/** Banners, slots and recommendations are only shown above the unfiltered list. */
export const homeLoader: PageLoader = (client, { url }) => {
  const filter = pluginFilterOf(url.searchParams);
  const list = [client.ensureQueryData(tagsQuery()), client.ensureInfiniteQueryData(pluginsQuery(filter))];
  if (!isUnfiltered(filter)) return list;
  return [
    ...list,
    client.ensureQueryData(bannersQuery()),
    client.ensureQueryData(queryOptionsOf('listActiveSlots', {})),
    client.ensureQueryData(recommendedQuery(0)),
  ];
};
