import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { LANGUAGE_COOKIE_VALUES, type Language } from '../../../shared/languages.ts';
import { newPage, openPage, type PageOptions } from './page.ts';

type Options = PageOptions & { path?: string; language?: Language };

/** Opens a page of the site on a desktop, in a language. */
export async function withHeader(
  t: Test,
  origin: string,
  { path = '/plugins/', language = 'en-US', ...options }: Options = {},
): Promise<Page> {
  const page = await newPage(t, { viewport: { width: 1440, height: 900 }, ...options });
  const value = LANGUAGE_COOKIE_VALUES[language];
  await page.context().addCookies([{ name: 'lang', value, url: origin }]);
  await openPage(page, origin + path);
  return page;
}

/** The button of a header entry. */
export const word = (page: Page, name: string): Locator =>
  page.locator(`header [data-section=${name}] > button`);

/** The panel of a header entry. */
export const panel = (page: Page, name: string): Locator => page.locator(`[data-panel=${name}]`);

/** Names of the visible header entries. */
export const shownWords = (page: Page): Promise<(string | undefined)[]> =>
  page
    .locator('header nav [data-section]')
    .evaluateAll((items) =>
      items
        .filter((item) => item.getClientRects().length > 0)
        .map((item) => (item instanceof HTMLElement ? item.dataset.section : undefined)),
    );

/** `href` attributes of the links inside. */
export const hrefs = (inside: Locator): Promise<(string | null)[]> =>
  inside.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));

/** Label or text of the focused element. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
  });
