import { PROFILE_PATH } from '../../../shared/constants.ts';
import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: PROFILE_PATH,
    load: async () => (await import('./profile-page.tsx')).ProfilePage,
  },
];
