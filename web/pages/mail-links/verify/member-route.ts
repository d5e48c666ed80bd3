import { VERIFY_PATH } from '../../../../shared/constants.ts';
import type { Page } from '../../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: VERIFY_PATH,
    load: async () => (await import('./verify-page.tsx')).VerifyPage,
    isBare: true,
  },
];
