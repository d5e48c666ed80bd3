import { useSyncExternalStore } from 'react';
import { lastingStorage } from '../../../api/tab-storage.ts';

const STORED = 'search-slash';
const OFF = 'off';

const listeners = new Set<() => void>();

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  addEventListener('storage', changed);
  return () => {
    listeners.delete(changed);
    removeEventListener('storage', changed);
  };
}

/**
 * Whether `/` leads to the search field. A shortcut of one character can be turned off, as speech input may press it
 * (WCAG 2.1.4); this browser remembers that.
 */
export function isSlashOn(): boolean {
  return lastingStorage().getItem(STORED) !== OFF;
}

/** The same for a page; on until the browser is asked. */
export function useSlash(): boolean {
  return useSyncExternalStore(subscribe, isSlashOn, () => true);
}

export function chooseSlash(isOn: boolean): void {
  try {
    if (isOn) lastingStorage().removeItem(STORED);
    else lastingStorage().setItem(STORED, OFF);
  } catch {
    // A full storage: the choice is not kept.
  }
  for (const changed of listeners) changed();
}
