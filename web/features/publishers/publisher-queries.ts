import { PAGE_SIZE, SORT_LATEST, SORT_POPULAR } from '../../../shared/constants.ts';
import { infiniteQueryOptionsOf, queryOptionsOf } from '../../api/queries.ts';

type Sort = typeof SORT_LATEST | typeof SORT_POPULAR;

export const publisherQuery = (handle: string) => queryOptionsOf('readPublisher', { handle });

/** A publisher's plugins, page by page. */
export const publisherPluginsQuery = (handle: string, sort: Sort) =>
  infiniteQueryOptionsOf('listPublisherPlugins', { handle, sort, limit: PAGE_SIZE });

/** The order of a publisher's plugins in an address: the most popular first, unless it says otherwise. */
export function publisherSortOf(query: URLSearchParams): Sort {
  return query.get('sort') === String(SORT_LATEST) ? SORT_LATEST : SORT_POPULAR;
}
