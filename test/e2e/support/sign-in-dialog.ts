import type { Page } from 'playwright-core';
import { openPage } from './page.ts';

/** Elements of a like that asks for a sign-in. */
export const likes = (page: Page) => page.locator('main').getByRole('button', { name: /^Like/ });
export const dialog = (page: Page) => page.getByRole('dialog');
export const form = (page: Page) => page.frameLocator('iframe[title="Sign in"]');
export const liked = (page: Page) => page.getByText('Liked', { exact: true });

/** Height of the dialog in CSS pixels without the hint below the form, which has more words once the form is slow. */
export function heightAboveHint(page: Page): Promise<number> {
  return dialog(page).evaluate((element: HTMLElement) => {
    const hint = element.querySelector('[role=status]')?.parentElement;
    if (!hint) throw new Error('expected a hint');
    return element.offsetHeight - hint.offsetHeight;
  });
}

/** Opens the home page and marks the document for `isSamePage`. */
export async function openMarkedHome(page: Page, origin: string): Promise<void> {
  await openPage(page, `${origin}/plugins/`);
  await page.evaluate(() => {
    document.body.dataset.same = 'yes';
  });
}

/** Whether the document has not been reloaded since `openMarkedHome`. */
export const isSamePage = (page: Page) => page.evaluate(() => document.body.dataset.same === 'yes');
