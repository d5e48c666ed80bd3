import type { QueryClient } from '@tanstack/react-query';
import type { PrefetchQuery } from '../../shared/boot.ts';
import { isPaged } from './client.ts';
import { anyInfiniteQueryOptionsOf, anyQueryOptionsOf } from './queries.ts';

/** Milliseconds a navigation waits for its data before it shows skeletons. */
const PATIENCE = 250;

/**
 * Starts what a page needs and is not in the cache, and resolves when it is there or patience has run out.
 * An aborted navigation cancels what nobody else is looking at.
 */
export async function prefetchNeeds(
  client: QueryClient,
  needs: PrefetchQuery[],
  signal: AbortSignal,
): Promise<void> {
  const started = needs.map(({ operation, payload }) => {
    if (isPaged(operation)) {
      const options = anyInfiniteQueryOptionsOf(operation, payload);
      return { queryKey: options.queryKey, done: client.prefetchInfiniteQuery(options) };
    }
    const options = anyQueryOptionsOf(operation, payload);
    return { queryKey: options.queryKey, done: client.prefetchQuery(options) };
  });
  const stop = (): void => {
    for (const { queryKey } of started) {
      void client.cancelQueries({ queryKey, exact: true, predicate: (query) => !query.isActive() });
    }
  };
  signal.addEventListener('abort', stop, { once: true });
  await Promise.race([Promise.all(started.map(({ done }) => done)), patience(PATIENCE)]);
  signal.removeEventListener('abort', stop);
}

function patience(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
