import { useEffect, useRef, useSyncExternalStore } from 'react';
import { lastingStorage } from '../../../api/tab-storage.ts';

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
      if (!action || event.defaultPrevented || isTyping(event)) return;
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

/** Elements that need keys themselves: fields, and widgets with typeahead. */
const OWN_KEYS =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=true], ' +
  '[role=combobox], [role=listbox], [role=menu], [role=dialog], [role=alertdialog]';

/** True when the user types or is in a menu or a dialog: then a letter is no command. */
function isTyping(event: KeyboardEvent): boolean {
  if (event.isComposing || event.metaKey || event.ctrlKey || event.altKey) return true;
  const [target] = event.composedPath();
  return target instanceof Element && target.closest(OWN_KEYS) !== null;
}

/** The Latin letter of a key, also on other keyboard layouts or with caps lock; other keys by name. */
export function commandKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter && /^\p{L}$/u.test(key) && !/^[a-z]$/i.test(key)) return letter.toLowerCase();
  return key.length === 1 ? key.toLowerCase() : key;
}
