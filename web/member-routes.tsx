import type { Page } from './layout/page.ts';
import { ErrorPage } from './layout/status-page.tsx';
import { type PageRoutes, pageRoutes, type RouteOptions } from './page-route.tsx';

/** Pages of publishers, administrators and accounts. */
const PAGES = import.meta.glob<readonly Page[]>('./pages/**/member-route.ts', {
  eager: true,
  import: 'pages',
});

/** Their routes: browsers load this table with the first of them. */
export function createMemberRoutes(options: RouteOptions): PageRoutes {
  const { site, bare } = pageRoutes(PAGES, options);
  return { site, bare: [{ id: 'bare', errorElement: <ErrorPage />, children: bare }] };
}
