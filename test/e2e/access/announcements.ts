import type { BrowserContext, Page } from 'playwright-core';

const LIVE = '[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]';

declare global {
  interface Window {
    announcements?: string[];
  }
}

/**
 * Records what the live regions of a context's pages announce (WCAG 2.2, 4.1.3): changes inside an existing region, and
 * new alerts.
 */
export async function recordAnnouncements(context: BrowserContext): Promise<void> {
  await context.addInitScript((live) => {
    const announcements: string[] = [];
    const known = new WeakSet<Element>();
    window.announcements = announcements;
    const announce = (region: Element): void => {
      const text = region.textContent?.trim();
      if (text && announcements.at(-1) !== text) announcements.push(text);
    };
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest(live);
        if (region && known.has(region)) announce(region);
      }
      for (const region of document.querySelectorAll(live)) {
        if (!known.has(region) && region.matches('[role=alert]')) announce(region);
        known.add(region);
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  }, LIVE);
}

/** @throws Error with all announcements when this one does not come */
export async function waitForAnnouncement(page: Page, text: string): Promise<void> {
  await page
    .waitForFunction((text) => window.announcements?.some((one) => one.includes(text)), text)
    .catch(async () => {
      const announced = await page.evaluate(() => window.announcements ?? []);
      throw new Error(`“${text}” was not announced, but: ${announced.join(' | ')}`);
    });
}
