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

/** Loads more whenever the end of a list comes near the viewport, or is still there after the list has changed. */
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
        if (!entries.at(-1)?.isIntersecting) return;
        timer = setTimeout(loadMore, Math.max(0, lastCall.current + delay - performance.now()));
      },
      { rootMargin: `${distance}px` },
    );
    const reobserve = (): void => {
      looking = undefined;
      observer.unobserve(place);
      observer.observe(place);
    };
    const changes = new MutationObserver(() => {
      looking ??= setTimeout(reobserve, INFINITE_SCROLL.mutationThrottle);
    });
    observer.observe(place);
    if (place.parentElement) changes.observe(place.parentElement, { childList: true, subtree: true });
    return () => {
      clearTimeout(timer);
      clearTimeout(looking);
      observer.disconnect();
      changes.disconnect();
    };
  }, [end, isOn, onMore, distance, delay]);
}
