import { matchRoutes, Outlet, type RouteObject } from 'react-router-dom';
import { DOCS_PATH, PUBLISHING_PATH } from '../shared/constants.ts';
import type { PageLoader } from './api/page-loader.ts';
import { queryOptionsOf } from './api/queries.ts';
import { pluginQuery, versionsQuery } from './features/plugins/plugin-queries.ts';
import { PreferenceMenus } from './features/preferences/preference-menus.tsx';
import { SiteFrame } from './layout/site-frame.tsx';
import { ErrorPage } from './layout/status-page.tsx';
import { pageRoutes, type RouteOptions } from './page-route.tsx';
import { articleLoader, helpLoader } from './pages/help/help-loader.ts';
import { homeLoader } from './pages/home/home-loader.ts';

type MemberRoutes = { site: readonly RouteObject[]; bare: readonly RouteObject[] };

const NONE: MemberRoutes = { site: [], bare: [] };
const UNKNOWN = '*';

/** Route id of the frame around most pages. */
export const SITE = 'site';

/** Routes of visitors' pages. Paths are absolute: the router has no base name. */
export function createRoutes(options: RouteOptions, members: MemberRoutes = NONE): RouteObject[] {
  const { page } = pageRoutes(options);
  const sitePages = [
    page('/plugins/', 'home/home-page', () => import('./pages/home/home-page.tsx'), 'HomePage', homeLoader),
    page(
      '/plugins/plugin/:plugin_key',
      'plugin/plugin-page',
      () => import('./pages/plugin/plugin-page.tsx'),
      'PluginPage',
      pluginLoader,
    ),
    page(
      '/plugins/protocol',
      'protocol/protocol-page',
      () => import('./pages/protocol/protocol-page.tsx'),
      'ProtocolPage',
      protocolLoader,
    ),
    page(
      DOCS_PATH,
      'protocol/protocol-page',
      () => import('./pages/protocol/protocol-page.tsx'),
      'DeveloperDocsPage',
      developerDocsLoader,
    ),
    page(
      PUBLISHING_PATH,
      'publishing/publishing-page',
      () => import('./pages/publishing/publishing-page.tsx'),
      'PublishingPage',
    ),
    page('/help', 'help/help-page', () => import('./pages/help/help-page.tsx'), 'HelpPage', helpLoader),
    page(
      '/help/:id',
      'help/article-page',
      () => import('./pages/help/article-page.tsx'),
      'ArticlePage',
      articleLoader,
    ),
    page('/plugins/403', 'forbidden-page', () => import('./pages/forbidden-page.tsx'), 'ForbiddenPage'),
    page(UNKNOWN, 'not-found-page', () => import('./pages/not-found-page.tsx'), 'NotFoundPage'),
  ];
  return [
    {
      id: SITE,
      errorElement: <ErrorPage />,
      element: (
        <SiteFrame preferences={<PreferenceMenus />}>
          <Outlet />
        </SiteFrame>
      ),
      children: [...sitePages, ...members.site],
    },
    ...members.bare,
  ];
}

/** Whether a route other than "not found" matches this path. */
export function hasPage(routes: RouteObject[], pathname: string): boolean {
  return matchRoutes(routes, pathname)?.at(-1)?.route.path !== UNKNOWN;
}

/** A plugin with its versions and contact. */
const pluginLoader: PageLoader = (client, { params: { plugin_key = '' } }) => [
  client.ensureQueryData(pluginQuery(plugin_key)),
  client.ensureQueryData(versionsQuery(plugin_key)),
  client.ensureQueryData(queryOptionsOf('readContact', {})),
];

const protocolLoader: PageLoader = (client) => [client.ensureQueryData(queryOptionsOf('readProtocol', {}))];

const developerDocsLoader: PageLoader = (client) => [
  client.ensureQueryData(queryOptionsOf('readDeveloperDocs', {})),
];
