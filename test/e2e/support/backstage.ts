import type { Page } from 'playwright-core';

/** Opens a screen of the backstage. */
export const openScreen = (page: Page, origin: string, path: string) =>
  page.goto(`${origin}/plugins/backstage-index/${path}`);
