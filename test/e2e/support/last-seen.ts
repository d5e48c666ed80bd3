import type { BrowserContext } from 'playwright-core';

/** How many calls a report names. */
const CALLS = 20;

/**
 * Follows the calls of all pages of a context. Returns a function that says what its pages show and which calls they
 * made last: with it the cause of a failure that happens once can be found.
 */
export function followLastSeen(context: BrowserContext): () => Promise<string> {
  const started = performance.now();
  const calls: string[] = [];
  const note = (line: string): void => {
    calls.push(`${Math.round(performance.now() - started)} ms ${line}`);
    if (calls.length > CALLS) calls.shift();
  };
  context.on('request', (request) => {
    if (isCall(request.url()))
      note(`${request.method()} ${request.url()} ${request.postData()?.slice(0, 300) ?? ''}`);
  });
  context.on('response', (response) => {
    if (isCall(response.url())) note(`${response.status()} ${response.url()}`);
  });
  context.on('requestfailed', (request) => {
    if (isCall(request.url())) note(`failed ${request.url()} ${request.failure()?.errorText ?? ''}`);
  });
  return async () => {
    const pages = context.pages().map(async (page) => {
      const content = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String);
      return `${page.url()}\n${content}`;
    });
    return ['Last calls:', ...calls, 'Pages:', ...(await Promise.all(pages))].join('\n');
  };
}

const isCall = (url: string): boolean => url.includes('/api/') && !url.includes('/media/');
