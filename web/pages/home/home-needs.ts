import type { PrefetchQuery } from '../../../shared/boot.ts';
import type { PageTarget } from '../../api/page-target.ts';
import { filterOf, isUnfiltered, listPayload } from '../../features/plugins/plugin-filter.ts';

/** What the first view of the home page shows: banners, slots and recommendations only above the unfiltered list. */
export function homeNeeds({ url }: PageTarget): PrefetchQuery[] {
  const filter = filterOf(url.searchParams);
  const needs: PrefetchQuery[] = [
    { operation: 'listTags', payload: {} },
    { operation: 'listPlugins', payload: listPayload(filter) },
  ];
  if (isUnfiltered(filter)) {
    needs.push({ operation: 'listBanners', payload: {} });
    needs.push({ operation: 'listActiveSlots', payload: {} });
    needs.push({ operation: 'listRecommended', payload: { page: 0 } });
  }
  return needs;
}
