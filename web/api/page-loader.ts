import type { QueryClient } from '@tanstack/react-query';
import type { LoaderFunctionArgs, Params } from 'react-router-dom';

/** Asks the cache for what the first view of a page shows; pages show by themselves what of it fails or comes late. */
export type PageLoader = (client: QueryClient, page: { url: URL; params: Params }) => Promise<unknown>[];

/**
 * Makes route loaders of page loaders. They resolve when the data is there or after `waitMs`; an interrupted navigation
 * cancels what nobody looks at.
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
