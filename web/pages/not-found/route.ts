import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: '*',
    load: async () => (await import('./not-found-page.tsx')).NotFoundPage,
  },
];
