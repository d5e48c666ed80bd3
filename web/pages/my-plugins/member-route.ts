import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: '/plugins/my-plugins',
    load: async () => (await import('./my-plugins-page.tsx')).MyPluginsPage,
  },
];
