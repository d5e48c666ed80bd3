import { RESET_PATH } from '../../../../shared/constants.ts';
import type { Page } from '../../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: RESET_PATH,
    load: async () => (await import('./reset-page.tsx')).ResetPage,
    isBare: true,
  },
];
