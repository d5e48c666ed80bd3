import { type RefObject, useEffect, useEffectEvent } from 'react';

/**
 * While `active`, has a layer closed by Escape, by a press outside and by focus that goes elsewhere. It takes Escape
 * for itself: a layer that opens above it takes the focus and so closes this one before.
 */
export function useDismiss(
  inside: RefObject<HTMLElement | null>,
  active: boolean,
  dismiss: () => void,
): void {
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.stopPropagation();
    dismiss();
  });
  const onElsewhere = useEffectEvent(({ target }: Event) => {
    if (target instanceof Node && !inside.current?.contains(target)) dismiss();
  });
  useEffect(() => {
    if (!active) return;
    const listening = new AbortController();
    const shared = { capture: true, signal: listening.signal };
    document.addEventListener('keydown', (event) => onEscape(event), shared);
    document.addEventListener('pointerdown', (event) => onElsewhere(event), shared);
    document.addEventListener('focusin', (event) => onElsewhere(event), shared);
    return () => listening.abort();
  }, [active]);
}
