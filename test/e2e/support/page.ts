import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page and what its browser complained about: console errors and warnings, uncaught errors. */
export type WatchedPage = { page: Page; complaints: string[] };

/** Milliseconds that a page may take to show what is waited for. */
const PATIENCE = 15_000;

type Options = BrowserContextOptions & {
  /** What the test provokes on purpose. */
  expected?: RegExp;
};

/** Opens a page in a context of its own, with the site's cookies and storage to itself. */
export async function watchedPage(browser: Browser, { expected, ...options }: Options): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints: string[] = [];
  const complain = (text: string): void => {
    if (!expected?.test(text)) complaints.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complain(message.text());
  });
  page.on('pageerror', (error) => complain(error.stack ?? error.message));
  return { page, complaints };
}

/** Waits until the page has come to life: buttons work from here on. */
export async function comeToLife(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const first = document.querySelector('#root > *');
    return first !== null && Object.keys(first).some((key) => key.startsWith('__reactProps'));
  });
}
