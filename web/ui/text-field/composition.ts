import type { KeyboardEvent } from 'react';

/** Key code during an IME composition. Safari ends the composition before the event of its last key. */
const IME_KEY_CODE = 229;

/** True for a key of an IME composition, in which Enter confirms the characters. */
export function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === IME_KEY_CODE;
}
