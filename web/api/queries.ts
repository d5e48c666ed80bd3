import { type InfiniteData, infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { Operation } from '../../shared/contract.ts';
import type { ApiError } from './api-error.ts';
import type { Payload } from './call.ts';
import type { DataFor, PayloadFor } from './client.ts';

/** Operations whose response has a `next_cursor`. */
export type PagedOperation = {
  [O in Operation]: DataFor<O> extends { next_cursor: string | null } ? O : never;
}[Operation];

/** Cache key of an operation; `[operation]` alone matches all its entries. */
export function queryKeyOf(operation: Operation, payload: Payload) {
  return [operation, payload] as const;
}

/** True for keys of operations; other keys hold client-only state. */
export function isOperationKey(key: QueryKey): key is ReturnType<typeof queryKeyOf> {
  const [operation, payload] = key;
  return typeof operation === 'string' && typeof payload === 'object' && payload !== null;
}

/** Key of a list that is cached page by page. */
export function infiniteKeyOf(operation: PagedOperation, payload: Payload) {
  return [operation, payload, 'pages'] as const;
}

/** How old data may be, where a list must be fresher than others. */
type Freshness = { staleTime?: number; refetchInterval?: number; refetchOnWindowFocus?: boolean };

/** Options for useQuery and similar hooks; the query function is the client's default (web/api/query-client.ts). */
export function queryOptionsOf<O extends Operation>(
  operation: O,
  payload: PayloadFor<O> & Payload,
  freshness: Freshness = {},
) {
  return queryOptions<DataFor<O>, ApiError, DataFor<O>, ReturnType<typeof queryKeyOf>>({
    queryKey: queryKeyOf(operation, payload),
    ...freshness,
  });
}

/** Options for useInfiniteQuery, with pages linked by cursor. */
export function infiniteQueryOptionsOf<O extends PagedOperation>(
  operation: O,
  payload: PayloadFor<O> & Payload,
  freshness: Freshness = {},
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
    // A service that repeats a cursor has no more pages.
    getNextPageParam: (page: { next_cursor: string | null }, _pages: unknown, cursor: string | null) =>
      page.next_cursor === cursor ? null : page.next_cursor,
    ...freshness,
  });
}
