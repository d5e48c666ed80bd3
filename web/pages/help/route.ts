import type { Page } from '../../layout/page.ts';
import { helpLoader } from './help-loader.ts';

export const pages: readonly Page[] = [
  {
    path: '/help',
    load: async () => (await import('./help-page.tsx')).HelpPage,
    loader: helpLoader,
  },
];
