import { useLayoutEffect, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let open = 0;

function change(by: 1 | -1): void {
  open += by;
  for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** Reports a modal layer while `isOpen`, to what may appear after it and below it. */
export function useModalLayer(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    change(1);
    return () => change(-1);
  }, [isOpen]);
}

/** Whether a modal layer is open. */
export function isModalOpen(): boolean {
  return open > 0;
}

/** Whether a modal layer is open; false on the server. */
export function useIsBelowModal(): boolean {
  return useSyncExternalStore(subscribe, isModalOpen, () => false);
}
