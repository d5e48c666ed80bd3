import { type RefObject, useEffect } from 'react';

const CONTROL = 'button, a[href], input, [tabindex]';

/** Lets the control inside a place be described by the element of an id, for as long as there is one. */
export function useDescription(place: RefObject<HTMLElement | null>, id: string | undefined): void {
  useEffect(() => {
    const control = place.current?.querySelector(CONTROL);
    if (!control || id === undefined) return;
    const before = control.getAttribute('aria-describedby');
    control.setAttribute('aria-describedby', before ? `${before} ${id}` : id);
    return () => {
      if (before) control.setAttribute('aria-describedby', before);
      else control.removeAttribute('aria-describedby');
    };
  }, [place, id]);
}
