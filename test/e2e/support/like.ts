import type { Page } from 'playwright-core';

/** What somebody sees who likes a plugin and is asked who he is. */
export const likes = (page: Page) => page.locator('main').getByRole('button', { name: /^Like/ });
export const dialog = (page: Page) => page.getByRole('dialog');
export const form = (page: Page) => page.frameLocator('iframe[title="Sign in"]');
export const liked = (page: Page) => page.getByText('Liked', { exact: true });
