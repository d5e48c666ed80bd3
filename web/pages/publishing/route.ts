import { PUBLISHING_PATH } from '../../../shared/constants.ts';
import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: PUBLISHING_PATH,
    load: async () => (await import('./publishing-page.tsx')).PublishingPage,
  },
];
