import { type RefObject, useEffect } from 'react';
import { FOCUS_DELAY } from '../../shared/constants.ts';

const FIELDS = 'input:not([type=hidden], :disabled), textarea:not(:disabled)';

/** Focuses the first field of an element shortly after mounting, once an opening animation or dialog has settled. */
export function useAutoFocus(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const timer = setTimeout(() => place.current?.querySelector<HTMLElement>(FIELDS)?.focus(), FOCUS_DELAY);
    return () => clearTimeout(timer);
  }, [place]);
}
