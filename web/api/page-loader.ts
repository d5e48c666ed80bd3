import type { QueryClient } from '@tanstack/react-query';
import type { LoaderFunctionArgs, Params } from 'react-router-dom';

/** Loads the first view's data into the cache. Never rejects: the page shows failures and skeletons itself. */
export type PageLoader = (client: QueryClient, page: { url: URL; params: Params }) => Promise<unknown>[];

/**
 * Turns page loaders into route loaders. They resolve when the data is loaded or after `waitMs`; an interrupted
 * navigation cancels queries without observers.
 */
export function routeLoaders(client: QueryClient, waitMs: number) {
  return (load: PageLoader) =>
    async ({ request: { url, signal }, params }: LoaderFunctionArgs): Promise<null> => {
      const cancel = (): void => void client.cancelQueries({ type: 'inactive', fetchStatus: 'fetching' });
      signal.addEventListener('abort', cancel, { once: true });
      await settledWithin(waitMs, load(client, { url: new URL(url), params }));
      signal.removeEventListener('abort', cancel);
      return null;
    };
}

async function settledWithin(milliseconds: number, all: Promise<unknown>[]): Promise<void> {
  const settled = Promise.allSettled(all);
  if (milliseconds === Number.POSITIVE_INFINITY) {
    await settled;
    return;
  }
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, milliseconds);
  await Promise.race([settled, late.promise]);
  clearTimeout(timer);
}
