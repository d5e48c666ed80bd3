import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { type WatchedPage, watchedPage } from '../page.ts';

type Options = BrowserContextOptions & { expected?: RegExp };

/** Opens one page of the gallery in a context of its own, once it is drawn. */
export async function openPart(
  browser: Browser,
  origin: string,
  part: string,
  options: Options = {},
): Promise<WatchedPage> {
  const watched = await watchedPage(browser, { reducedMotion: 'reduce', ...options });
  await watched.page.goto(`${origin}/${part}`);
  await watched.page.getByRole('heading', { name: 'Gallery' }).waitFor();
  return watched;
}

/** Where something stands in the window. */
export async function boxOf(
  locator: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not shown.');
  return box;
}

/** A value of the style something is shown in. */
export function styleOf(locator: Locator, property: string): Promise<string> {
  return locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
}

/** Runs the clock of a page by hand from here on. */
export async function heldClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

/**
 * What axe finds on a page with an open layer. The layer belongs to its button and not to a part of the page; its
 * guards, hidden and focusable, hand the keyboard on in the moment they get it.
 */
export async function layerViolations(page: Page) {
  const axe = new AxeBuilder({ page }).disableRules(['region']).exclude('[data-base-ui-focus-guard]');
  return (await axe.analyze()).violations;
}
