import {
  CancelledError,
  type DehydratedState,
  dehydrate,
  hydrate,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryFilters,
  type QueryKey,
  type Updater,
} from '@tanstack/react-query';
import { TRANSPORT_FAILED } from '../../shared/errors.ts';
import { isConnectionLost } from '../loading/connection.ts';
import { type ApiError, isUnauthenticated, restoredApiError } from './api-error.ts';
import { isCancelled, type ReadOperation } from './call.ts';
import { isOperationKey, queryKeyOf } from './queries.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
  }
}

const RETRIES = 2;

/** The part of a query's state that rendering depends on. */
const SHARED_OPTIONS = {
  /** Milliseconds. */
  staleTime: 60_000,
  /** An error stays on screen, with its retry button, until a navigation or the visitor retries. */
  retryOnMount: false,
};

/** The cache key of this browser's session. */
export const SESSION_KEY = queryKeyOf('readSession', {});

/** Everything that may differ between users. */
export const BESIDE_SESSION: QueryFilters = { predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] };

/** The query cache of a browser tab; `read` gets the operation and payload from the key. */
export function createQueryClient(read: ReadOperation): QueryClient {
  const onError = (error: ApiError): void => {
    if (isUnauthenticated(error)) void client.invalidateQueries({ queryKey: SESSION_KEY });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        ...SHARED_OPTIONS,
        queryFn: queryFunction(read),
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        retry: (failures, error) => failures < RETRIES && isRetryable(error) && !isConnectionLost(),
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

/** The query cache of one render on the server: each query runs once. */
export function createServerQueryClient(read: ReadOperation): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { ...SHARED_OPTIONS, queryFn: queryFunction(read), retry: false } },
  });
}

/**
 * Puts newer data in the cache, such as the answer to a change: a read that began before would bring back older data and is
 * cancelled.
 */
export async function putNewerData<Data>(
  client: QueryClient,
  queryKey: QueryKey,
  data: Updater<Data | undefined, Data | undefined>,
): Promise<void> {
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<Data>(queryKey, data);
}

type QueryContext = { queryKey: QueryKey; signal: AbortSignal; pageParam?: unknown };

function queryFunction(read: ReadOperation) {
  return async ({ queryKey, signal, pageParam }: QueryContext): Promise<unknown> => {
    if (!isOperationKey(queryKey)) throw new Error(`No operation has the key ${JSON.stringify(queryKey)}.`);
    const [operation, payload] = queryKey;
    const page = typeof pageParam === 'string' ? { ...payload, cursor: pageParam } : payload;
    const answer = await read(operation, page, signal);
    // A cancelled call has no data to cache and no error to show.
    if (isCancelled(answer)) throw new CancelledError({ silent: true });
    return answer;
  };
}

/** No response, or one that asks to retry later. */
function isRetryable(error: ApiError): boolean {
  return error.status === 0 ? error.code === TRANSPORT_FAILED : error.status >= 502 && error.status <= 504;
}

/**
 * The query cache of a render as the document carries it, data and errors. It has the time `at` (milliseconds since
 * 1970), so that rendering the same data again gives the same document.
 */
export function dehydrateCache(client: QueryClient, at: number): DehydratedState {
  const { queries } = dehydrate(client, { shouldDehydrateQuery: ({ state }) => state.status !== 'pending' });
  return { mutations: [], queries: queries.map((query) => dated(query, at)) };
}

/** Restores the document's dehydrated queries with the browser's time, as they have just been loaded. */
export function hydrateCache(client: QueryClient, { queries }: DehydratedState, at: number): void {
  const restored = queries.map((query) => {
    const { state } = query;
    const error = state.error && restoredApiError(state.error);
    return dated({ ...query, state: { ...state, error, fetchFailureReason: error } }, at);
  });
  hydrate(client, { queries: restored });
}

type DehydratedQuery = DehydratedState['queries'][number];

function dated(query: DehydratedQuery, at: number): DehydratedQuery {
  const { state } = query;
  return {
    ...query,
    dehydratedAt: at,
    state: {
      ...state,
      dataUpdatedAt: state.data === undefined ? 0 : at,
      errorUpdatedAt: state.error ? at : 0,
    },
  };
}
