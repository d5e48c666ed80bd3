import type { KeyboardEvent as ReactKeyboardEvent } from 'react';

/** Key code during an IME composition. Safari ends the composition before the event of its last key. */
const IME_KEY_CODE = 229;

/** True for a key of an IME composition, in which Enter confirms the characters. */
export function isCompositionKey({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === IME_KEY_CODE;
}

/** The same for an event of React. */
export function isComposing({ nativeEvent }: ReactKeyboardEvent): boolean {
  return isCompositionKey(nativeEvent);
}
