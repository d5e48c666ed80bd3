import type { Location } from 'react-router-dom';

/** State of a page that is shown again: it continues where it was scrolled to. */
export type ShownAgain = { scroll_key: string };

/** Under which key the place a page is scrolled to is kept: its own, or that of the time it was shown before. */
export function scrollKeyOf({ key, state }: Pick<Location<unknown>, 'key' | 'state'>): string {
  const isShownAgain = typeof state === 'object' && state !== null && 'scroll_key' in state;
  return isShownAgain && typeof state.scroll_key === 'string' ? state.scroll_key : key;
}
