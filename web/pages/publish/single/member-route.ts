import type { Page } from '../../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: '/plugins/publish-plugin/single',
    load: async () => (await import('./single-page.tsx')).SinglePage,
  },
];
