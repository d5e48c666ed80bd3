import type { Page } from '../../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: '/plugins/my-plugins/:plugin_key/versions',
    load: async () => (await import('./versions-page.tsx')).VersionsPage,
  },
];
