import {
  ACCOUNT_PATH,
  BIND_PATH,
  DELETE_ACCOUNT_PATH,
  DOCS_PATH,
  LOGIN_PATH,
  RESET_PATH,
  SIGN_UP_PATH,
  VERIFY_PATH,
} from '../shared/constants.ts';
import { NOTICES_PATH, UNSUBSCRIBE_PATH } from '../shared/notice.ts';
import type { PageRoute } from './page-route.ts';
import { bindNeeds } from './pages/bind/bind-needs.ts';
import { articleNeeds, helpNeeds } from './pages/help/help-needs.ts';
import { homeNeeds } from './pages/home/home-needs.ts';
import { pluginNeeds } from './pages/plugin/plugin-needs.ts';
import { developerDocsNeeds, protocolNeeds } from './pages/protocol/protocol-needs.ts';
import { signInNeeds } from './pages/sign-in/sign-in-needs.ts';

/** Where pages lie that few visitors of the square go to is fetched with the first of them. */
const workshop = () => import('./workshop-pages.ts');
const account = () => import('./account-pages.ts');

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
    path: '/plugins/publish-plugin/single',
    frame: 'site',
    source: 'web/pages/publish/single/single-page.tsx',
    load: async () => (await workshop()).loadSinglePage(),
  },
  {
    path: '/plugins/publish-plugin/batch',
    frame: 'site',
    source: 'web/pages/publish/batch/batch-page.tsx',
    load: async () => (await workshop()).loadBatchPage(),
  },
  {
    path: '/plugins/my-plugins',
    frame: 'site',
    source: 'web/pages/my-plugins/my-plugins-page.tsx',
    load: async () => (await workshop()).loadMyPluginsPage(),
  },
  {
    path: '/plugins/my-plugins/:plugin_key/versions',
    frame: 'site',
    source: 'web/pages/my-plugins/versions-page.tsx',
    load: async () => (await workshop()).loadVersionsPage(),
  },
  {
    path: ACCOUNT_PATH,
    frame: 'site',
    source: 'web/pages/account/account-page.tsx',
    load: async () => (await workshop()).loadAccountPage(),
  },
  {
    path: DELETE_ACCOUNT_PATH,
    frame: 'site',
    source: 'web/pages/account/delete/delete-page.tsx',
    load: async () => (await workshop()).loadDeleteAccountPage(),
  },
  {
    path: NOTICES_PATH,
    frame: 'site',
    source: 'web/pages/notices/notices-page.tsx',
    load: async () => (await workshop()).loadNoticesPage(),
  },
  {
    path: '/plugins/protocol',
    frame: 'site',
    source: 'web/pages/protocol/protocol-page.tsx',
    load: async () => (await import('./pages/protocol/protocol-page.tsx')).ProtocolPage,
    needs: protocolNeeds,
  },
  {
    path: '/help',
    frame: 'site',
    source: 'web/pages/help/help-page.tsx',
    load: async () => (await import('./pages/help/help-page.tsx')).HelpPage,
    needs: helpNeeds,
  },
  {
    path: '/help/:id',
    frame: 'site',
    source: 'web/pages/help/article-page.tsx',
    load: async () => (await import('./pages/help/article-page.tsx')).ArticlePage,
    needs: articleNeeds,
  },
  {
    path: DOCS_PATH,
    frame: 'site',
    source: 'web/pages/protocol/protocol-page.tsx',
    load: async () => (await import('./pages/protocol/protocol-page.tsx')).DeveloperDocsPage,
    needs: developerDocsNeeds,
  },
  {
    path: '/plugins/403',
    frame: 'site',
    source: 'web/pages/forbidden-page.tsx',
    load: async () => (await import('./pages/forbidden-page.tsx')).ForbiddenPage,
  },
  {
    path: '/plugins/backstage-index/*',
    frame: 'bare',
    source: 'web/pages/backstage/backstage-page.tsx',
    load: async () => (await workshop()).loadBackstagePage(),
    needs: () => [{ operation: 'verifyUser', payload: {} }],
  },
  {
    path: LOGIN_PATH,
    frame: 'bare',
    source: 'web/pages/sign-in/sign-in-page.tsx',
    load: async () => (await account()).loadSignInPage(),
    needs: signInNeeds,
  },
  {
    path: RESET_PATH,
    frame: 'bare',
    source: 'web/pages/sign-in/reset/reset-page.tsx',
    load: async () => (await account()).loadResetPage(),
  },
  {
    path: SIGN_UP_PATH,
    frame: 'bare',
    source: 'web/pages/mail-links/sign-up-page.tsx',
    load: async () => (await account()).loadSignUpPage(),
  },
  {
    path: VERIFY_PATH,
    frame: 'bare',
    source: 'web/pages/mail-links/verify-page.tsx',
    load: async () => (await account()).loadVerifyPage(),
  },
  {
    path: UNSUBSCRIBE_PATH,
    frame: 'bare',
    source: 'web/pages/mail-links/unsubscribe-page.tsx',
    load: async () => (await account()).loadUnsubscribePage(),
  },
  {
    path: BIND_PATH,
    frame: 'bare',
    source: 'web/pages/bind/bind-page.tsx',
    load: async () => (await account()).loadBindPage(),
    needs: bindNeeds,
  },
  {
    path: '*',
    frame: 'site',
    source: 'web/pages/not-found-page.tsx',
    load: async () => (await import('./pages/not-found-page.tsx')).NotFoundPage,
  },
];
