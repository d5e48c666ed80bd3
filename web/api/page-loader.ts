import type { QueryClient } from '@tanstack/react-query';
import type { LoaderFunctionArgs, Params } from 'react-router-dom';
import { isBrowserOffline, watchLoss, whenBack } from '../loading/connection.ts';

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
      const page = { url: new URL(url), params };
      // Without a network the page before stays.
      for (;;) {
        const wasLost = watchLoss();
        const isFailed = await failsWithin(waitMs, load(client, page));
        if (!isFailed || !wasLost() || signal.aborted) break;
        await whenBack(signal);
      }
      signal.removeEventListener('abort', cancel);
      return null;
    };
}

/** Whether something fails; false when not all is known in time. Offline, calls take as long as they need to fail. */
async function failsWithin(milliseconds: number, all: Promise<unknown>[]): Promise<boolean> {
  const settled = Promise.allSettled(all).then((results) =>
    results.some(({ status }) => status === 'rejected'),
  );
  if (milliseconds === Number.POSITIVE_INFINITY) return settled;
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(isBrowserOffline() && settled), milliseconds);
  const isFailed = await Promise.race([settled, late.promise]);
  clearTimeout(timer);
  return isFailed;
}
