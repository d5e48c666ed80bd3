import {
  CancelledError,
  type DehydratedState,
  dehydrate,
  hydrate,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { TRANSPORT_FAILED } from '../../shared/errors.ts';
import { type ApiError, isUnauthenticated, revivedApiError } from './api-error.ts';
import { isCancelled, type ReadOperation } from './call.ts';
import { isOperationKey, queryKeyOf } from './queries.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
  }
}

const RETRIES = 2;

/** What decides how a page is rendered from what is in the cache. */
const OF_BOTH_SIDES = {
  /** Milliseconds. */
  staleTime: 60_000,
  /** An error stays on screen, with its retry, until a navigation or the visitor asks again. */
  retryOnMount: false,
};

/** The key under which the session of this browser is cached. */
export const SESSION_KEY = queryKeyOf('readSession', {});

/** The query cache of a browser tab: keys name what `read` is asked for. */
export function createQueryClient(read: ReadOperation): QueryClient {
  const onError = (error: ApiError): void => {
    if (isUnauthenticated(error)) void client.invalidateQueries({ queryKey: SESSION_KEY });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        ...OF_BOTH_SIDES,
        queryFn: queryFunction(read),
        networkMode: 'always',
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < RETRIES && isPassing(error),
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

/** The query cache of one render on the server: each query is asked for once. */
export function createServerQueryClient(read: ReadOperation): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { ...OF_BOTH_SIDES, queryFn: queryFunction(read), retry: false } },
  });
}

type Asked = { queryKey: QueryKey; signal: AbortSignal; pageParam?: unknown };

function queryFunction(read: ReadOperation) {
  return async ({ queryKey, signal, pageParam }: Asked): Promise<unknown> => {
    if (!isOperationKey(queryKey)) throw new Error(`No operation has the key ${JSON.stringify(queryKey)}.`);
    const [operation, payload] = queryKey;
    const page = typeof pageParam === 'string' ? { ...payload, cursor: pageParam } : payload;
    const answer = await read(operation, page, signal);
    // A cancelled call has no answer to cache, and nobody is told.
    if (isCancelled(answer)) throw new CancelledError({ silent: true });
    return answer;
  };
}

/** No answer, or one that says "later": asking again may help. */
function isPassing(error: ApiError): boolean {
  return error.status === 0 ? error.code === TRANSPORT_FAILED : error.status >= 502 && error.status <= 504;
}

/**
 * The query cache of a render, answers and failures, as the document carries it. It bears the time `at` (milliseconds since
 * 1970), so that what is rendered again from the same answers is the same document.
 */
export function dehydrateCache(client: QueryClient, at: number): DehydratedState {
  const { queries } = dehydrate(client, { shouldDehydrateQuery: ({ state }) => state.status !== 'pending' });
  return { mutations: [], queries: queries.map((query) => dated(query, at)) };
}

/** Puts what came with the document into the cache, by the clock of this browser: its answers have just been read. */
export function hydrateCache(client: QueryClient, { queries }: DehydratedState, at: number): void {
  const revived = queries.map((query) => {
    const { state } = query;
    const error = state.error && revivedApiError(state.error);
    return dated({ ...query, state: { ...state, error, fetchFailureReason: error } }, at);
  });
  hydrate(client, { queries: revived });
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
