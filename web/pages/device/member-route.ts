import { DEVICE_PATH } from '../../../shared/constants.ts';
import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: DEVICE_PATH,
    load: async () => (await import('./device-page.tsx')).DevicePage,
    isBare: true,
  },
];
