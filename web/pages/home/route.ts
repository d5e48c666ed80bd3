import { BASE_PATH } from '../../../shared/constants.ts';
import type { Page } from '../../layout/page.ts';
import { homeLoader } from './home-loader.ts';

export const pages: readonly Page[] = [
  {
    path: BASE_PATH,
    load: async () => (await import('./home-page.tsx')).HomePage,
    loader: homeLoader,
  },
];
