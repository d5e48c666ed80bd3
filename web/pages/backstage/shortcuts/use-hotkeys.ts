import { useEffect, useRef, useSyncExternalStore } from 'react';
import { lastingStorage } from '../../../api/tab-storage.ts';
import { commandKey, hasModifier, needsKeys } from '../../../ui/command-key.ts';

export type Keys = Readonly<Record<string, (() => void) | undefined>>;

/** Commands by single keys, never while the user types; `isOn` false disables all of them. */
export function useHotkeys(keys: Keys, isOn: boolean): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent): void => {
      const action = current.current[commandKey(event)];
      if (!action || event.defaultPrevented || hasModifier(event) || needsKeys(event)) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isOn]);
}

const STORED = 'review-keys';

/** Whether single-key commands are enabled; users of speech input can disable them (WCAG 2.2, 2.1.4). */
export function useHotkeysEnabled(): [enabled: boolean, setEnabled: (enabled: boolean) => void] {
  const enabled = useSyncExternalStore(
    subscribe,
    () => lastingStorage().getItem(STORED) !== 'off',
    () => true,
  );
  const setEnabled = (next: boolean): void => {
    lastingStorage().setItem(STORED, next ? 'on' : 'off');
    // The browser only notifies other windows.
    dispatchEvent(new StorageEvent('storage', { key: STORED }));
  };
  return [enabled, setEnabled];
}

function subscribe(changed: () => void): () => void {
  addEventListener('storage', changed);
  return () => removeEventListener('storage', changed);
}
