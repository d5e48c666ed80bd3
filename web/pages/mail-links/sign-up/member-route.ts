import { SIGN_UP_PATH } from '../../../../shared/constants.ts';
import type { Page } from '../../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: SIGN_UP_PATH,
    load: async () => (await import('./sign-up-page.tsx')).SignUpPage,
    isBare: true,
  },
];
