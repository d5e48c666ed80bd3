import { type DehydratedState, dehydrate, hydrate, type QueryClient } from '@tanstack/react-query';
import { revivedApiError } from './api-error.ts';

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
