import { DELETE_ACCOUNT_PATH } from '../../../../shared/constants.ts';
import type { Page } from '../../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: DELETE_ACCOUNT_PATH,
    load: async () => (await import('./delete-page.tsx')).DeleteAccountPage,
  },
];
