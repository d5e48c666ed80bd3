import { useEffect, useRef } from 'react';
import { commandKey, isTyping } from './typing.ts';

export type Keys = Readonly<Record<string, (() => void) | undefined>>;

/** Commands by single keys, never while somebody types; `isOn` false turns all of them off. */
export function useKeys(keys: Keys, isOn: boolean): void {
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
