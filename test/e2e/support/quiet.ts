import type { Page, Request } from 'playwright-core';

/** Milliseconds without a request under way after which a page is quiet. */
const QUIET = 150;

/**
 * Follows a page's requests; what is answered waits until none has been under way for a moment. Playwright's own
 * `networkidle` waits for half a second.
 */
export function followRequests(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  let last = performance.now();
  const ended = (request: Request): void => {
    underWay.delete(request);
    last = performance.now();
  };
  page.on('request', (request) => underWay.add(request));
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return async () => {
    while (underWay.size > 0 || performance.now() - last < QUIET) await page.waitForTimeout(QUIET / 3);
  };
}
