import { BACKSTAGE_PAGE_SIZE, PAGE_SIZE_MAX } from '../../../../shared/constants.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { type ListFilter, payloadOf } from '../filters/list-filter.ts';

/** Orders that can be chosen; all begin with the greatest. */
export const SORTS = ['latest', 'installs', 'likes', 'views'] as const;
export type Sort = (typeof SORTS)[number];

/** All plugins of a filter in an order, page by page. */
export const managedQuery = (filter: ListFilter, sort: Sort) => ({
  ...infiniteQueryOptionsOf('listManagedPlugins', { ...payloadOf(filter), sort, limit: BACKSTAGE_PAGE_SIZE }),
  staleTime: 0,
});

/** The recommended plugins come first in this order, in their own. */
export const recommendedOrderQuery = () => ({
  ...infiniteQueryOptionsOf('listManagedPlugins', { sort: 'recommended', limit: PAGE_SIZE_MAX }),
  staleTime: 0,
});
