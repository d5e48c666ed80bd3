import { type RefObject, useEffect } from 'react';
import { FOCUS_DELAY } from '../../shared/constants.ts';

const FIELDS = 'input:not([type=hidden], :disabled), textarea:not(:disabled)';

/** Puts the keyboard into the first field of a place shortly after it has come, once what opens it has settled. */
export function useFocusSoon(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const timer = setTimeout(() => place.current?.querySelector<HTMLElement>(FIELDS)?.focus(), FOCUS_DELAY);
    return () => clearTimeout(timer);
  }, [place]);
}
