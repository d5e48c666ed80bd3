import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: '/plugins/403',
    load: async () => (await import('./forbidden-page.tsx')).ForbiddenPage,
  },
];
