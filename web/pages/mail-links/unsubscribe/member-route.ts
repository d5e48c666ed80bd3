import { UNSUBSCRIBE_PATH } from '../../../../shared/notice.ts';
import type { Page } from '../../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: UNSUBSCRIBE_PATH,
    load: async () => (await import('./unsubscribe-page.tsx')).UnsubscribePage,
    isBare: true,
  },
];
