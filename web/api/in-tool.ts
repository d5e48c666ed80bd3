import { useSyncExternalStore } from 'react';
import type { Site } from './site-context.ts';
import { tabStorage } from './tab-storage.ts';

/** Stored for the tab: only the first page's URL says so. */
const KEY = 'embed_tool';

/** Remembers that this tab shows the site inside a design tool. */
export function rememberTool({ client }: Pick<Site, 'client'>): void {
  if (client === 'tool') tabStorage().setItem(KEY, '1');
}

/** Whether this page is inside a design tool, and not in a window of its own in the same tab. In the browser only. */
export function isInTool(): boolean {
  return hasForeignTop() && tabStorage().getItem(KEY) !== null;
}

/** The same for components; false while the page is hydrated. */
export function useIsInTool(): boolean {
  return useSyncExternalStore(never, isInTool, () => false);
}

const never = (): (() => void) => () => undefined;

/** Whether the page is in a frame below a page of another origin, whose address a browser does not tell. */
function hasForeignTop(): boolean {
  try {
    return globalThis.top?.location.origin !== globalThis.location?.origin;
  } catch {
    return true;
  }
}
