import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { type WatchedPage, watchedPage } from '../page.ts';

type Options = BrowserContextOptions & { expected?: RegExp };

/** Opens a page of the gallery in its own context and waits until it is drawn. */
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

/** Position and size in the window. */
export async function boxOf(
  locator: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('The element is not shown.');
  return box;
}

/** Computed value of a style property. */
export function styleOf(locator: Locator, property: string): Promise<string> {
  return locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
}

/** Stops the clock of a page: time passes only when the test advances it. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

/**
 * Violations on a page with an open layer. The layer is outside the landmarks, and its guards, hidden and focusable, pass
 * the focus on immediately.
 */
export async function layerViolations(page: Page) {
  const axe = new AxeBuilder({ page }).disableRules(['region']).exclude('[data-base-ui-focus-guard]');
  return (await axe.analyze()).violations;
}
