import { matchRoutes } from 'react-router-dom';
import type { PageTarget } from './api/page-target.ts';
import type { PageRoute } from './page-route.ts';
import { pageRoutes } from './routes.ts';

/** The page at a path and query, with its path parameters; every address has one, if only the "not found" page. */
export function matchPage(url: URL): { page: PageRoute; target: PageTarget } | undefined {
  const match = matchRoutes(
    pageRoutes.map((page) => ({ path: page.path, handle: page })),
    url.pathname,
  )?.[0];
  if (!match) return undefined;
  return { page: match.route.handle, target: { url, params: match.params } };
}
