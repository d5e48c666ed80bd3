import { type RefObject, useEffect, useRef } from 'react';

/** Brings what a finding is about into view and the keyboard to it; the attributes are those of its element. */
export function useSought<E extends HTMLElement>(
  isSought: boolean,
): { ref: RefObject<E | null>; tabIndex?: -1 } {
  const ref = useRef<E>(null);
  useEffect(() => {
    if (!isSought) return;
    // Of a field that is higher than half the window the beginning is seen.
    const isHigh = (ref.current?.offsetHeight ?? 0) > innerHeight / 2;
    ref.current?.scrollIntoView({ block: isHigh ? 'start' : 'center' });
    ref.current?.focus({ preventScroll: true });
  }, [isSought]);
  return { ref, ...(isSought && { tabIndex: -1 }) };
}
