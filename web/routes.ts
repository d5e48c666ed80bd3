import { LOGIN_PATH } from '../shared/constants.ts';
import type { PageRoute } from './page-route.ts';
import { homeNeeds } from './pages/home/home-needs.ts';
import { pluginNeeds } from './pages/plugin/plugin-needs.ts';

/** Every page of the site. Paths are absolute: the router has no base name. */
export const pageRoutes: PageRoute[] = [
  {
    path: '/plugins/',
    frame: 'site',
    source: 'web/pages/home/home-page.tsx',
    load: async () => (await import('./pages/home/home-page.tsx')).HomePage,
    needs: homeNeeds,
  },
  {
    path: '/plugins/plugin/:plugin_key',
    frame: 'site',
    source: 'web/pages/plugin/plugin-page.tsx',
    load: async () => (await import('./pages/plugin/plugin-page.tsx')).PluginPage,
    needs: pluginNeeds,
  },
  {
    path: '/plugins/403',
    frame: 'site',
    source: 'web/pages/forbidden-page.tsx',
    load: async () => (await import('./pages/forbidden-page.tsx')).ForbiddenPage,
  },
  {
    path: LOGIN_PATH,
    frame: 'bare',
    source: 'web/pages/sign-in/sign-in-page.tsx',
    load: async () => (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage,
  },
  {
    path: '*',
    frame: 'site',
    source: 'web/pages/not-found-page.tsx',
    load: async () => (await import('./pages/not-found-page.tsx')).NotFoundPage,
  },
];
