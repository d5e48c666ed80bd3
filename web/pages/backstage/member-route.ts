import { BACKSTAGE_PATH } from '../../../shared/constants.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import type { Page, Screen } from '../../layout/page.ts';

const SCREENS: readonly Screen[] = [
  { path: 'audit-list', load: async () => (await import('./review/list/review-list.tsx')).ReviewList },
  {
    path: 'audit-list/:submission_id',
    load: async () => (await import('./review/review-screen.tsx')).ReviewScreen,
  },
  { path: 'plugin-list', load: async () => (await import('./manage/manage-screen.tsx')).ManageScreen },
  { path: 'kits', load: async () => (await import('./kits/kits-screen.tsx')).KitsScreen },
  { path: 'kits/:id', load: async () => (await import('./kits/kit-screen.tsx')).KitScreen },
  { path: 'reports', load: async () => (await import('./reports/reports-screen.tsx')).ReportsScreen },
  { path: 'tags', load: async () => (await import('./tags/tags-screen.tsx')).TagsScreen },
  { path: 'marks', load: async () => (await import('./tags/marks-screen.tsx')).MarksScreen },
  { path: 'resource-state-list', load: async () => (await import('./slots/slots-screen.tsx')).SlotsScreen },
  { path: 'banner-config', load: async () => (await import('./banners-screen.tsx')).BannersScreen },
  {
    path: 'collections',
    load: async () => (await import('./collections/collections-screen.tsx')).CollectionsScreen,
  },
  {
    path: 'collections/:collection_key',
    load: async () => (await import('./collections/members-screen.tsx')).CollectionMembersScreen,
  },
  { path: 'qr-codes', load: async () => (await import('./qr-codes-screen.tsx')).QrCodesScreen },
  { path: 'community', load: async () => (await import('./community/community-screen.tsx')).CommunityScreen },
  {
    path: 'help',
    load: async () => (await import('./help/help-screen.tsx')).HelpScreen,
    children: [
      { path: '', load: async () => (await import('./help/help-screen.tsx')).HelpLists },
      { path: 'new', load: async () => (await import('./help/article-editor.tsx')).NewArticle },
      { path: ':id', load: async () => (await import('./help/article-editor.tsx')).ChangedArticle },
    ],
  },
  { path: 'overview', load: async () => (await import('./overview-screen.tsx')).OverviewScreen },
  {
    path: 'audit-trail',
    load: async () => (await import('./audit-log/audit-log-screen.tsx')).AuditLogScreen,
  },
  { path: 'iconfont', load: async () => (await import('./accounts/account-screens.tsx')).IconFontScreen },
  { path: 'pexels', load: async () => (await import('./accounts/account-screens.tsx')).StockPhotoScreen },
  { path: 'members', load: async () => (await import('./members/members-screen.tsx')).MembersScreen },
  { path: 'tools', load: async () => (await import('./tools/tools-screen.tsx')).ToolsScreen },
  { path: '*', load: async () => (await import('./frame/missing-screen.tsx')).MissingScreen },
];

export const pages: readonly Page[] = [
  {
    path: BACKSTAGE_PATH,
    load: async () => (await import('./backstage-page.tsx')).BackstagePage,
    isBare: true,
    /** Whether the viewer is an administrator. */
    loader: (client) => [client.ensureQueryData(queryOptionsOf('verifyUser', {}))],
    start: 'audit-list',
    children: SCREENS,
  },
];
