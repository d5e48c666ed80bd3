import { useSyncExternalStore } from 'react';
import { HEADER_BANNER_OFFSET } from '../../../shared/constants.ts';

/** Marks the part of a page that is its banner. */
const BANNER = '[data-banner-area]';

function subscribe(changed: () => void): () => void {
  addEventListener('scroll', changed, { passive: true });
  addEventListener('resize', changed);
  return () => {
    removeEventListener('scroll', changed);
    removeEventListener('resize', changed);
  };
}

/** True once scroll plus 40 px reaches the height of the page's banner area (specification section 4). */
export function useBannerPassed(): boolean {
  return useSyncExternalStore(subscribe, isPassed, () => false);
}

function isPassed(): boolean {
  const banner = document.querySelector<HTMLElement>(BANNER);
  return banner !== null && scrollY + HEADER_BANNER_OFFSET >= banner.offsetHeight;
}
