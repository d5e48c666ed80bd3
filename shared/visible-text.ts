/**
 * Characters that draw nothing though they are letters or symbols: default ignorable ones (Hangul fillers, zero-width spaces,
 * variation selectors), the empty Braille pattern, and other blanks.
 */
const BLANK = String.raw`\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{13441}\u{13442}`;
/** What `isVisible` finds, for schemas. */
export const VISIBLE = `(?![${BLANK}])[\\p{L}\\p{N}\\p{P}\\p{S}]`;
const visible = new RegExp(VISIBLE, 'u');

/** Whether a text has a grapheme that can be seen: spaces, controls, fillers and combining marks alone are none. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}
