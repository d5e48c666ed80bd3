import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { TRANSPORT_FAILED } from '../../shared/errors.ts';
import { type ApiError, isUnauthenticated } from './api-error.ts';
import { queryKeyOf } from './queries.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
  }
}

const STALE_AFTER = 60_000;
const RETRIES = 2;

/** The key under which the session of this browser is kept. */
export const SESSION_KEY = queryKeyOf('readSession', {});

/** The cache of answers, one per browser tab and one per request on the server. */
export function createQueryClient(): QueryClient {
  const onError = (error: ApiError): void => {
    if (isUnauthenticated(error)) void client.invalidateQueries({ queryKey: SESSION_KEY });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: STALE_AFTER,
        networkMode: 'always',
        refetchOnWindowFocus: false,
        /** An error stays on screen, with its retry, until a navigation or the visitor asks again. */
        retryOnMount: false,
        retry: (failures, error) => failures < RETRIES && isPassing(error),
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

/** No answer, or one that says "later": asking again may help. */
function isPassing(error: ApiError): boolean {
  return error.status === 0 ? error.code === TRANSPORT_FAILED : error.status >= 502 && error.status <= 504;
}
