import { useEffect, useState, useSyncExternalStore } from 'react';
import { CAROUSEL_STEP } from '../../../shared/constants.ts';

const STILL = '(prefers-reduced-motion: reduce)';

function onStillChange(changed: () => void): () => void {
  const query = matchMedia(STILL);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/**
 * Steps through `count` works every CAROUSEL_STEP milliseconds while pointer or focus is at them (specification
 * section 9): not where motion is unwelcome, nor once the visitor has chosen a work or paused (WCAG 2.2, 2.2.2).
 */
export function useSteps(count: number) {
  const [index, setIndex] = useState(0);
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isPaused, setPaused] = useState(false);
  const isStill = useSyncExternalStore(
    onStillChange,
    () => matchMedia(STILL).matches,
    () => true,
  );
  const isMoving = !isPaused && !isStill && (isHovered || isFocused);

  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => setIndex((shown) => shown + 1), CAROUSEL_STEP);
    return () => clearInterval(timer);
  }, [isMoving]);

  const show = (next: number): void => {
    setPaused(true);
    setIndex(next + count);
  };
  const holders = {
    onPointerEnter: () => setHovered(true),
    onPointerLeave: () => setHovered(false),
    onFocus: () => setFocused(true),
    onBlur: () => setFocused(false),
  };
  return { index: index % count, isPaused, isStill, isMoving, setPaused, show, holders };
}
