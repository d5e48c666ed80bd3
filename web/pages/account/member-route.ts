import { ACCOUNT_PATH } from '../../../shared/constants.ts';
import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: ACCOUNT_PATH,
    load: async () => (await import('./account-page.tsx')).AccountPage,
  },
];
