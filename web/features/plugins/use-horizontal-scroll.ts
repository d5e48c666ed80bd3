import { useEffect, useRef, useState } from 'react';

/** Share of its width by which a row moves at once. */
const STEP = 0.7;

/** A row that scrolls sideways: whether it stands at its ends, and a way to move it. */
export function useHorizontalScroll<E extends HTMLElement>() {
  const row = useRef<E>(null);
  const [ends, setEnds] = useState({ atStart: true, atEnd: true });
  useEffect(() => {
    const element = row.current;
    if (!element) return;
    const measure = (): void => {
      const rest = element.scrollWidth - element.clientWidth - element.scrollLeft;
      const next = { atStart: element.scrollLeft < 4, atEnd: rest < 4 };
      setEnds((now) => (now.atStart === next.atStart && now.atEnd === next.atEnd ? now : next));
    };
    const showCurrent = (): void => {
      const current = element.querySelector<HTMLElement>('[aria-current]');
      if (current)
        element.scrollLeft = current.offsetLeft - element.clientWidth / 2 + current.offsetWidth / 2;
      measure();
    };
    showCurrent();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // What arrives late changes no size of the row itself.
    const children = new MutationObserver(showCurrent);
    children.observe(element, { childList: true });
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      children.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  const move = (direction: 1 | -1): void => {
    row.current?.scrollBy({ left: direction * row.current.clientWidth * STEP, behavior: 'smooth' });
  };
  return { row, ...ends, move };
}
