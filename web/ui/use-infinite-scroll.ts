import { type RefObject, useEffect, useRef } from 'react';
import { INFINITE_SCROLL } from '../../shared/constants.ts';

type InfiniteScroll = {
  /** False while loading, after a failure, and at the end. */
  isOn: boolean;
  onMore: () => void;
  /** Pixels below the viewport within which the end counts as reached. */
  distance?: number;
  /** Minimum milliseconds between calls. */
  delay?: number;
};

/**
 * Loads more whenever the end of a list comes near the viewport, or is still there after the list has changed.
 * Who has moved the focus past the list, for example into the footer, keeps it in view: nothing is loaded meanwhile, and
 * what was already under way doesn't push it out (WCAG 2.2, 2.4.11).
 */
export function useInfiniteScroll(
  end: RefObject<Element | null>,
  { isOn, onMore, distance = INFINITE_SCROLL.distance, delay = INFINITE_SCROLL.delay }: InfiniteScroll,
): void {
  const lastCall = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const place = end.current;
    if (!isOn || !place) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let looking: ReturnType<typeof setTimeout> | undefined;
    const loadMore = (): void => {
      lastCall.current = performance.now();
      onMore();
    };
    const observer = new IntersectionObserver(
      (entries) => {
        clearTimeout(timer);
        if (!entries.at(-1)?.isIntersecting || focusBeyond(place)) return;
        timer = setTimeout(loadMore, Math.max(0, lastCall.current + delay - performance.now()));
      },
      { rootMargin: `${distance}px` },
    );
    const reobserve = (): void => {
      looking = undefined;
      observer.unobserve(place);
      observer.observe(place);
    };
    const lookSoon = (): void => {
      looking ??= setTimeout(reobserve, INFINITE_SCROLL.mutationThrottle);
    };
    const changes = new MutationObserver(lookSoon);
    document.addEventListener('focusin', lookSoon);
    document.addEventListener('focusout', lookSoon);
    observer.observe(place);
    if (place.parentElement) changes.observe(place.parentElement, { childList: true, subtree: true });
    return () => {
      clearTimeout(timer);
      clearTimeout(looking);
      document.removeEventListener('focusin', lookSoon);
      document.removeEventListener('focusout', lookSoon);
      observer.disconnect();
      changes.disconnect();
    };
  }, [end, isOn, onMore, distance, delay]);
  useEffect(() => {
    const place = end.current;
    if (!place?.parentElement) return;
    let beyond: Element | undefined;
    const noteFocus = (): void => {
      beyond = focusBeyond(place);
    };
    const changes = new MutationObserver(() => {
      if (beyond === document.activeElement)
        beyond?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    });
    noteFocus();
    document.addEventListener('focusin', noteFocus);
    changes.observe(place.parentElement, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', noteFocus);
      changes.disconnect();
    };
  }, [end]);
}

/** The focused element, if it is after `place` and in view. */
function focusBeyond(place: Element): Element | undefined {
  const focused = document.activeElement;
  if (!focused || !(place.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING)) return;
  if (place.contains(focused)) return;
  const { top, bottom } = focused.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight ? focused : undefined;
}
