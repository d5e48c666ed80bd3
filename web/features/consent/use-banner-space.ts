import { type RefCallback, useCallback } from 'react';

/** Custom property of the page: the height that the banner takes from its end. */
const SPACE = '--consent-space';

/** Keeps the page's end, and what the keyboard reaches there, free from under the banner (WCAG 2.2, 2.4.11). */
export function useBannerSpace(): RefCallback<HTMLElement> {
  return useCallback((banner) => {
    if (!banner) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty(SPACE, `${banner.offsetHeight}px`));
    observer.observe(banner);
    return () => {
      observer.disconnect();
      style.removeProperty(SPACE);
    };
  }, []);
}
