import { CancelledError, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Operation } from '../../shared/contract.ts';
import { call, callAny, type DataFor, type PayloadFor } from './client.ts';
import type { Payload } from './request.ts';
import { type Cancelled, isCancelled } from './transport.ts';

/** Lists that answer a `next_cursor`. */
export type PagedOperation = {
  [O in Operation]: DataFor<O> extends { next_cursor: string | null } ? O : never;
}[Operation];

/** Key of an operation's answer in the cache; `[operation]` alone addresses all its answers. */
export function queryKeyOf(operation: Operation, payload: Payload) {
  return [operation, payload] as const;
}

/** Key of a list that is kept page by page. */
export function infiniteKeyOf(operation: PagedOperation, payload: Payload) {
  return [operation, payload, 'pages'] as const;
}

/** Options for useQuery and its kin. */
export function queryOptionsOf<O extends Operation>(operation: O, payload: PayloadFor<O> & Payload) {
  return queryOptions({
    queryKey: queryKeyOf(operation, payload),
    queryFn: async ({ signal }): Promise<DataFor<O>> => answered(await call(operation, payload, { signal })),
  });
}

/** The same for an operation known only at run time. */
export function anyQueryOptionsOf(operation: Operation, payload: Payload) {
  return queryOptions({
    queryKey: queryKeyOf(operation, payload),
    queryFn: async ({ signal }) => answered(await callAny(operation, payload, { signal })),
  });
}

/** Options for useInfiniteQuery: pages follow one another by cursor. */
export function infiniteQueryOptionsOf<O extends PagedOperation>(
  operation: O,
  payload: PayloadFor<O> & Payload,
) {
  return infiniteQueryOptions({
    queryKey: infiniteKeyOf(operation, payload),
    queryFn: async ({ signal, pageParam }): Promise<DataFor<O>> =>
      answered(await call(operation, withCursor(payload, pageParam), { signal })),
    initialPageParam: null as string | null,
    // A service that leads back to the page it has just answered has no more.
    getNextPageParam: (page: { next_cursor: string | null }, _pages: unknown, asked: string | null) =>
      page.next_cursor === asked ? null : page.next_cursor,
  });
}

/** The same for a list known only at run time. */
export function anyInfiniteQueryOptionsOf(operation: Operation, payload: Payload) {
  return infiniteQueryOptions({
    queryKey: [operation, payload, 'pages'] as const,
    queryFn: async ({ signal, pageParam }) =>
      answered(await callAny(operation, withCursor(payload, pageParam), { signal })),
    initialPageParam: null as string | null,
    getNextPageParam: () => null,
  });
}

function withCursor<P extends Payload>(payload: P, cursor: string | null): P {
  return cursor === null ? payload : { ...payload, cursor };
}

/** A cancelled call has no answer to keep: the cache is told so without noise. */
function answered<T>(answer: T | Cancelled): T {
  if (isCancelled(answer)) throw new CancelledError({ silent: true });
  return answer;
}
