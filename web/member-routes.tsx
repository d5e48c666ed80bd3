import { Navigate, type RouteObject } from 'react-router-dom';
import {
  ACCOUNT_PATH,
  BIND_PATH,
  DELETE_ACCOUNT_PATH,
  LOGIN_PATH,
  RESET_PATH,
  SIGN_UP_PATH,
  VERIFY_PATH,
} from '../shared/constants.ts';
import { NOTICES_PATH, UNSUBSCRIBE_PATH } from '../shared/notice.ts';
import type { PageLoader } from './api/page-loader.ts';
import { queryOptionsOf } from './api/queries.ts';
import { ErrorPage } from './layout/status-page.tsx';
import { pageRoutes, type RouteOptions } from './page-route.tsx';
import { bindStartParameters } from './pages/bind/bind-parameters.ts';

/** Pages of publishers, administrators and accounts: browsers load this table with the first of them. */
export function createMemberRoutes(options: RouteOptions): { site: RouteObject[]; bare: RouteObject[] } {
  const { page, screen } = pageRoutes(options);
  const site = [
    page(
      '/plugins/publish-plugin/single',
      'publish/single/single-page',
      () => import('./pages/publish/single/single-page.tsx'),
      'SinglePage',
    ),
    page(
      '/plugins/publish-plugin/batch',
      'publish/batch/batch-page',
      () => import('./pages/publish/batch/batch-page.tsx'),
      'BatchPage',
    ),
    {
      path: '/plugins/my-plugins',
      children: [
        page(
          '',
          'my-plugins/my-plugins-page',
          () => import('./pages/my-plugins/my-plugins-page.tsx'),
          'MyPluginsPage',
        ),
        page(
          ':plugin_key/versions',
          'my-plugins/versions-page',
          () => import('./pages/my-plugins/versions-page.tsx'),
          'VersionsPage',
        ),
      ],
    },
    page(
      ACCOUNT_PATH,
      'account/account-page',
      () => import('./pages/account/account-page.tsx'),
      'AccountPage',
    ),
    page(
      DELETE_ACCOUNT_PATH,
      'account/delete/delete-page',
      () => import('./pages/account/delete/delete-page.tsx'),
      'DeleteAccountPage',
    ),
    page(
      NOTICES_PATH,
      'notices/notices-page',
      () => import('./pages/notices/notices-page.tsx'),
      'NoticesPage',
    ),
  ];
  const barePages = [
    page(
      LOGIN_PATH,
      'sign-in/sign-in-page',
      () => import('./pages/sign-in/sign-in-page.tsx'),
      'SignInPage',
      signInLoader,
    ),
    page(
      RESET_PATH,
      'sign-in/reset/reset-page',
      () => import('./pages/sign-in/reset/reset-page.tsx'),
      'ResetPage',
    ),
    page(
      SIGN_UP_PATH,
      'mail-links/sign-up-page',
      () => import('./pages/mail-links/sign-up-page.tsx'),
      'SignUpPage',
    ),
    page(
      VERIFY_PATH,
      'mail-links/verify-page',
      () => import('./pages/mail-links/verify-page.tsx'),
      'VerifyPage',
    ),
    page(
      UNSUBSCRIBE_PATH,
      'mail-links/unsubscribe-page',
      () => import('./pages/mail-links/unsubscribe-page.tsx'),
      'UnsubscribePage',
    ),
    page(BIND_PATH, 'bind/bind-page', () => import('./pages/bind/bind-page.tsx'), 'BindPage', bindLoader),
  ];
  const backstage = {
    ...page(
      '/plugins/backstage-index',
      'backstage/backstage-page',
      () => import('./pages/backstage/backstage-page.tsx'),
      'BackstagePage',
      backstageLoader,
    ),
    children: [
      { index: true, element: <Navigate to="audit-list" replace /> },
      screen('audit-list', () => import('./pages/backstage/review/list/review-list.tsx'), 'ReviewList'),
      screen(
        'audit-list/:submission_id',
        () => import('./pages/backstage/review/review-screen.tsx'),
        'ReviewScreen',
      ),
      screen('plugin-list', () => import('./pages/backstage/manage/manage-screen.tsx'), 'ManageScreen'),
      screen('reports', () => import('./pages/backstage/reports/reports-screen.tsx'), 'ReportsScreen'),
      screen('tags', () => import('./pages/backstage/tags/tags-screen.tsx'), 'TagsScreen'),
      screen('marks', () => import('./pages/backstage/tags/marks-screen.tsx'), 'MarksScreen'),
      screen('resource-state-list', () => import('./pages/backstage/slots/slots-screen.tsx'), 'SlotsScreen'),
      screen('banner-config', () => import('./pages/backstage/banners-screen.tsx'), 'BannersScreen'),
      screen('qr-codes', () => import('./pages/backstage/qr-codes-screen.tsx'), 'QrCodesScreen'),
      screen(
        'community',
        () => import('./pages/backstage/community/community-screen.tsx'),
        'CommunityScreen',
      ),
      {
        ...screen('help', () => import('./pages/backstage/help/help-screen.tsx'), 'HelpScreen'),
        children: [
          screen('', () => import('./pages/backstage/help/help-screen.tsx'), 'HelpLists'),
          screen('new', () => import('./pages/backstage/help/article-editor.tsx'), 'NewArticle'),
          screen(':id', () => import('./pages/backstage/help/article-editor.tsx'), 'ChangedArticle'),
        ],
      },
      screen('overview', () => import('./pages/backstage/overview-screen.tsx'), 'OverviewScreen'),
      screen('audit-trail', () => import('./pages/backstage/trail/trail-screen.tsx'), 'TrailScreen'),
      screen('iconfont', () => import('./pages/backstage/accounts/account-screens.tsx'), 'IconFontScreen'),
      screen('pexels', () => import('./pages/backstage/accounts/account-screens.tsx'), 'StockPhotoScreen'),
      screen('members', () => import('./pages/backstage/members/members-screen.tsx'), 'MembersScreen'),
      screen('*', () => import('./pages/backstage/frame/missing-screen.tsx'), 'MissingScreen'),
    ],
  };
  return { site, bare: [{ id: 'bare', errorElement: <ErrorPage />, children: [...barePages, backstage] }] };
}

/** Name of a document service whose account is to be bound. */
const bindLoader: PageLoader = (client, { url }) =>
  bindStartParameters(url.searchParams)
    ? [client.ensureQueryData(queryOptionsOf('readSignInOptions', {}))]
    : [];

/** Options of the sign-in page; none without a return URL. */
const signInLoader: PageLoader = (client, { url }) =>
  url.searchParams.get('redirect_uri')
    ? [client.ensureQueryData(queryOptionsOf('readSignInOptions', {}))]
    : [];

/** Whether the viewer is an administrator. */
const backstageLoader: PageLoader = (client) => [client.ensureQueryData(queryOptionsOf('verifyUser', {}))];
