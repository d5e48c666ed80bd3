import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { newPage, type PageOptions } from '../page.ts';

/** Opens a page of the gallery and waits until it is drawn. */
export async function openPart(
  t: Test,
  origin: string,
  part: string,
  options: PageOptions = {},
): Promise<Page> {
  const page = await newPage(t, { reducedMotion: 'reduce', ...options });
  await page.goto(`${origin}/${part}`);
  await page.getByRole('heading', { name: 'Gallery' }).waitFor();
  return page;
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
