import type { KeyboardEvent } from 'react';

/** Key code of a key that an input method has taken. Safari ends the composition before it tells of its last key. */
const TAKEN = 229;

/** True for a key that belongs to the composition of a character: Enter then chooses the character. */
export function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === TAKEN;
}
