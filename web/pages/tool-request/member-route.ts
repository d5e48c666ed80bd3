import { TOOL_REQUEST_PATH } from '../../../shared/constants.ts';
import type { Page } from '../../layout/page.ts';

export const pages: readonly Page[] = [
  {
    path: TOOL_REQUEST_PATH,
    load: async () => (await import('./tool-request-page.tsx')).ToolRequestPage,
    isBare: true,
  },
];
