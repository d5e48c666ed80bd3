import type { Page } from '../../../layout/page.ts';
import { articleLoader } from '../help-loader.ts';

export const pages: readonly Page[] = [
  {
    path: '/help/:id',
    load: async () => (await import('./article-page.tsx')).ArticlePage,
    loader: articleLoader,
  },
];
