import type { Page } from '../../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: '/plugins/publish-plugin/batch',
    load: async () => (await import('./batch-page.tsx')).BatchPage,
  },
];
