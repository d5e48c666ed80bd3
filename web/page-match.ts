import type { PageTarget } from './api/page-target.ts';
import type { PageRoute } from './page-route.ts';
import { pageRoutes } from './routes.ts';
import { matchPath } from './routing/page-path.ts';

/** The page at a path and query, with its path parameters; every address has one, if only the "not found" page. */
export function matchPage(url: URL): { page: PageRoute; target: PageTarget } | undefined {
  for (const page of pageRoutes) {
    const params = matchPath(page.path, url.pathname);
    if (params) return { page, target: { url, params } };
  }
  return undefined;
}
