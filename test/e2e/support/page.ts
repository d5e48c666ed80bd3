import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { listenForComplaints } from './complaints.ts';

/** A page and what its browser complained about. */
export type WatchedPage = { page: Page; complaints: string[] };

/** Milliseconds after which a page shows no more what is waited for, however busy the machine is. */
const TIMEOUT_MS = 60_000;
/** Milliseconds between two loads of a page that does not show yet what it should. */
const LOAD_AGAIN_AFTER = 250;

type Options = BrowserContextOptions & {
  /** What the test provokes on purpose; any other complaint fails the test when its browser is closed. */
  expected?: RegExp;
};

/** Opens a page in a context of its own, with the site's cookies and storage to itself. */
export async function watchedPage(browser: Browser, { expected, ...options }: Options): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  const complaints: string[] = [];
  await listenForComplaints(context, { browser, complaints, expected });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  return { page, complaints };
}

/** In the page: whether React has hydrated it. */
export function isHydrated(): boolean {
  const first = document.querySelector('#root > *');
  return first !== null && Object.keys(first).some((key) => key.startsWith('__reactProps'));
}

/** Waits for the hydration of the page: buttons work from here on. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(isHydrated);
}

/** Opens an address again until it shows what it should: what visitors see is shared for some seconds. */
export async function loadUntil(page: Page, url: string, isThere: () => Promise<boolean>): Promise<void> {
  await until(async () => {
    await page.goto(url);
    await page.locator('main').waitFor();
    await hydrated(page);
    return (await isThere()) || delay(LOAD_AGAIN_AFTER, false);
  });
}

/** Waits until the page has drawn twice: a sortable list listens to keys only after it has drawn what was picked up. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
      }),
  );
}
