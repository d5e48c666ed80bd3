import { type PointerEvent, type RefObject, useLayoutEffect, useRef } from 'react';

type Pan = {
  field: RefObject<HTMLElement | null>;
  handlers: { onPointerDown: (event: PointerEvent) => void; onPointerMove: (event: PointerEvent) => void };
};

/** A field that is scrolled by dragging what it shows; what stands in its middle stays there when `zoom` changes. */
export function usePan(zoom: number): Pan {
  const field = useRef<HTMLElement>(null);
  const before = useRef(zoom);
  useLayoutEffect(() => {
    const growth = zoom / before.current;
    before.current = zoom;
    const element = field.current;
    if (!element || growth === 1) return;
    // Not every browser lets the keyboard into what scrolls.
    element.tabIndex = element.scrollWidth > element.clientWidth ? 0 : -1;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = element;
    element.scrollLeft = (scrollLeft + clientWidth / 2) * growth - clientWidth / 2;
    element.scrollTop = (scrollTop + clientHeight / 2) * growth - clientHeight / 2;
  }, [zoom]);
  return {
    field,
    handlers: {
      // A finger scrolls by itself.
      onPointerDown({ pointerType, button, pointerId }) {
        if (pointerType === 'mouse' && button === 0) field.current?.setPointerCapture(pointerId);
      },
      onPointerMove({ pointerId, movementX, movementY }) {
        if (field.current?.hasPointerCapture(pointerId)) field.current.scrollBy(-movementX, -movementY);
      },
    },
  };
}
