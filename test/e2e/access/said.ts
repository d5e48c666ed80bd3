import type { BrowserContext, Page } from 'playwright-core';

const LIVE = '[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]';

declare global {
  interface Window {
    said?: string[];
  }
}

/**
 * Has the pages of a context keep what their live regions say (WCAG 2.2, 4.1.3): changes inside a region that was there
 * before, and alerts that appear.
 */
export async function listenToLiveRegions(context: BrowserContext): Promise<void> {
  await context.addInitScript((live) => {
    const said: string[] = [];
    const known = new WeakSet<Element>();
    window.said = said;
    const say = (region: Element): void => {
      const text = region.textContent?.trim();
      if (text && said.at(-1) !== text) said.push(text);
    };
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest(live);
        if (region && known.has(region)) say(region);
      }
      for (const region of document.querySelectorAll(live)) {
        if (!known.has(region) && region.matches('[role=alert]')) say(region);
        known.add(region);
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  }, LIVE);
}

/** What the page's live regions have said since it was opened. */
export async function saidBy(page: Page): Promise<string[]> {
  return page.evaluate(() => window.said ?? []);
}

/**
 * Waits until a live region says this.
 * @throws Error with all that was said instead
 */
export async function untilSaid(page: Page, text: string): Promise<void> {
  await page
    .waitForFunction((text) => window.said?.some((one) => one.includes(text)), text)
    .catch(async () => {
      throw new Error(`“${text}” was not said, but: ${(await saidBy(page)).join(' | ')}`);
    });
}
