import { matchRoutes, Outlet, type RouteObject } from 'react-router-dom';
import { PreferenceMenus } from './features/preferences/preference-menus.tsx';
import type { Page } from './layout/page.ts';
import { SiteFrame } from './layout/site-frame.tsx';
import { ErrorPage } from './layout/status-page.tsx';
import { type PageRoutes, pageRoutes, type RouteOptions } from './page-route.tsx';

/** Visitors' pages. */
const PAGES = import.meta.glob<readonly Page[]>('./pages/**/route.ts', { eager: true, import: 'pages' });

const NONE: PageRoutes = { site: [], bare: [] };

/** Route id of the frame around most pages. */
export const SITE = 'site';

/** Routes of visitors' pages, and of members' where they are known. */
export function createRoutes(options: RouteOptions, members = NONE): RouteObject[] {
  const visitors = pageRoutes(PAGES, options);
  return [
    {
      id: SITE,
      errorElement: <ErrorPage />,
      element: (
        <SiteFrame preferences={<PreferenceMenus />}>
          <Outlet />
        </SiteFrame>
      ),
      children: [...visitors.site, ...members.site],
    },
    ...visitors.bare,
    ...members.bare,
  ];
}

/** Whether a route other than "not found" matches this path. */
export function hasPage(routes: RouteObject[], pathname: string): boolean {
  return matchRoutes(routes, pathname)?.at(-1)?.route.path !== '*';
}
