import { useSyncExternalStore } from 'react';

const STORED = 'review-keys';

function subscribe(changed: () => void): () => void {
  addEventListener('storage', changed);
  return () => removeEventListener('storage', changed);
}

/** Whether single keys are commands here; users who speak to their computer can turn them off (WCAG 2.2, 2.1.4). */
export function useKeysWanted(): [wanted: boolean, want: (wanted: boolean) => void] {
  const wanted = useSyncExternalStore(
    subscribe,
    () => localStorage.getItem(STORED) !== 'off',
    () => true,
  );
  const want = (next: boolean): void => {
    localStorage.setItem(STORED, next ? 'on' : 'off');
    // The browser tells other windows alone.
    dispatchEvent(new StorageEvent('storage', { key: STORED }));
  };
  return [wanted, want];
}
