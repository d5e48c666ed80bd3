import type { Location } from 'react-router-dom';

/** Navigation state of a page that is shown again: its scroll position is restored. */
export type Revisit = { scroll_key: string };

/** Storage key of a page's scroll position: its own, or that of the previous visit. */
export function scrollKeyOf({ key, state }: Pick<Location<unknown>, 'key' | 'state'>): string {
  const isRevisit = typeof state === 'object' && state !== null && 'scroll_key' in state;
  return isRevisit && typeof state.scroll_key === 'string' ? state.scroll_key : key;
}
