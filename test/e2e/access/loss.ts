import type { Page } from 'playwright-core';

/** Widths in CSS pixels at which nothing may be lost (WCAG 2.2, 1.4.10 and 1.4.4): a small phone; 1280 at 200 %. */
export const NARROW_WIDTHS = [320, 640];

/**
 * What one could not read without scrolling sideways: that the page is wider than its window, and each text or control
 * that stands outside it, unless it lies in a region that scrolls by itself or is there for screen readers alone.
 */
export function lostSideways(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isHidden = (element: Element): boolean =>
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
      element.closest('[inert], [aria-hidden=true]') !== null;
    const isTiny = ({ width, height }: DOMRect): boolean => width <= 1 || height <= 1;
    /** Whether something around it cuts it to a pixel or lets it be scrolled to. */
    const isReachable = (element: Element): boolean => {
      for (let parent = element.parentElement; parent; parent = parent.parentElement) {
        const { overflowX } = getComputedStyle(parent);
        if (overflowX === 'auto' || overflowX === 'scroll') return true;
        if (overflowX !== 'visible' && isTiny(parent.getBoundingClientRect())) return true;
        if (parent.getAttribute('aria-roledescription') === 'carousel') return true;
      }
      return false;
    };
    const saysSomething = (element: Element): boolean =>
      element.matches('a, button, input, select, textarea') ||
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    const found: string[] = [];
    const wider = document.documentElement.scrollWidth - innerWidth;
    if (wider > 0) found.push(`the page is ${wider} px wider than its window`);
    for (const element of document.body.querySelectorAll('*')) {
      const box = element.getBoundingClientRect();
      if (box.right <= innerWidth + 1 && box.left >= -1) continue;
      if (isTiny(box) || isHidden(element) || !saysSomething(element) || isReachable(element)) continue;
      found.push(
        `${Math.round(box.left)} to ${Math.round(box.right)} px: ${element.outerHTML.slice(0, 160)}`,
      );
    }
    return found;
  });
}
