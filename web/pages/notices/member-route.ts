import { NOTICES_PATH } from '../../../shared/notice.ts';
import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: NOTICES_PATH,
    load: async () => (await import('./notices-page.tsx')).NoticesPage,
  },
];
