import { type InfiniteData, infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { Operation } from '../../shared/contract.ts';
import type { ApiError } from './api-error.ts';
import type { Payload } from './call.ts';
import type { DataFor, PayloadFor } from './client.ts';

/** Lists that answer a `next_cursor`. */
export type PagedOperation = {
  [O in Operation]: DataFor<O> extends { next_cursor: string | null } ? O : never;
}[Operation];

/** Key of an operation's answer in the cache; `[operation]` alone addresses all its answers. */
export function queryKeyOf(operation: Operation, payload: Payload) {
  return [operation, payload] as const;
}

/** True for keys of answers; all others are of what the client alone knows. */
export function isOperationKey(key: QueryKey): key is ReturnType<typeof queryKeyOf> {
  const [operation, payload] = key;
  return typeof operation === 'string' && typeof payload === 'object' && payload !== null;
}

/** Key of a list that is kept page by page. */
export function infiniteKeyOf(operation: PagedOperation, payload: Payload) {
  return [operation, payload, 'pages'] as const;
}

/** Options for useQuery and its kin; the query function is the client's own (web/api/query-client.ts). */
export function queryOptionsOf<O extends Operation>(operation: O, payload: PayloadFor<O> & Payload) {
  return queryOptions<DataFor<O>, ApiError, DataFor<O>, ReturnType<typeof queryKeyOf>>({
    queryKey: queryKeyOf(operation, payload),
  });
}

/** Options for useInfiniteQuery: pages follow one another by cursor. */
export function infiniteQueryOptionsOf<O extends PagedOperation>(
  operation: O,
  payload: PayloadFor<O> & Payload,
) {
  return infiniteQueryOptions<
    DataFor<O>,
    ApiError,
    InfiniteData<DataFor<O>, string | null>,
    ReturnType<typeof infiniteKeyOf>,
    string | null
  >({
    queryKey: infiniteKeyOf(operation, payload),
    initialPageParam: null,
    // A service that leads back to the page it has just answered has no more.
    getNextPageParam: (page: { next_cursor: string | null }, _pages: unknown, asked: string | null) =>
      page.next_cursor === asked ? null : page.next_cursor,
  });
}
