import type { PageLoader } from '../../api/page-loader.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { bannersQuery } from '../../features/banners/banners-query.ts';
import { editorsCollectionsQuery } from '../../features/collections/collections-queries.ts';
import { isOnlyTag, isUnfiltered, pluginFilterOf } from '../../features/plugins/plugin-filter.ts';
import {
  pluginsQuery,
  recommendedQuery,
  tagPageQuery,
  tagsQuery,
  trendingQuery,
} from '../../features/plugins/plugin-queries.ts';

/** Banners, slots and rows are only shown above the unfiltered list, an introduction above that of a tag. */
export const homeLoader: PageLoader = (client, { url }) => {
  const filter = pluginFilterOf(url.searchParams);
  const list = [client.ensureQueryData(tagsQuery()), client.ensureInfiniteQueryData(pluginsQuery(filter))];
  if (isOnlyTag(filter)) return [...list, client.ensureQueryData(tagPageQuery(filter.tag_id))];
  if (!isUnfiltered(filter)) return list;
  return [
    ...list,
    client.ensureQueryData(bannersQuery()),
    client.ensureQueryData(queryOptionsOf('listActiveSlots', {})),
    client.ensureQueryData(editorsCollectionsQuery()),
    client.ensureQueryData(recommendedQuery(0)),
    client.ensureQueryData(trendingQuery(false)),
    client.ensureQueryData(trendingQuery(true)),
  ];
};
