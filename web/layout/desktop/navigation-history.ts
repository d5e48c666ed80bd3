/** Pages that the desktop client has shown in this tab (paths with queries), and the current one. */
export type NavigationHistory = { list: readonly string[]; index: number };

/** Maximum number of entries; the oldest are dropped first. */
export const ENTRIES_MAX = 100;

const SITE = 'http://site.invalid';

/** Parameters that describe the tab, not the page; the tab stores them itself. */
const CLIENT_PARAMETER = 'client';

/** The entry of a page: normalized path and query. */
export function entryOf({ pathname, search }: { pathname: string; search: string }): string {
  return spelled(pathname + search);
}

export function isEntry(text: string): boolean {
  return text.startsWith('/') && spelled(text) === text;
}

/** A path that starts with two slashes would be the URL of another site. */
function spelled(path: string): string {
  const url = new URL(SITE + path.replace(/^[/\\]+/, '/'));
  if (url.searchParams.has(CLIENT_PARAMETER)) url.searchParams.delete(CLIENT_PARAMETER);
  return url.pathname.replace(/^\/+/, '/') + url.search;
}

export function startAt(entry: string): NavigationHistory {
  return { list: [entry], index: 0 };
}

/** Follows a link: forward entries are dropped. */
export function visit(history: NavigationHistory, entry: string): NavigationHistory {
  const list = [...history.list.slice(0, history.index + 1), entry].slice(-ENTRIES_MAX);
  return { list, index: list.length - 1 };
}

/** The current page changed its URL. */
export function replaceEntry(history: NavigationHistory, entry: string): NavigationHistory {
  return { ...history, list: history.list.with(history.index, entry) };
}

/**
 * The browser went back or forward: the nearest entry of that page is now current; of two equally near ones, the one
 * behind.
 */
export function moveTo(history: NavigationHistory, entry: string): NavigationHistory {
  const { list, index } = history;
  const distance = (place: number): number => Math.abs(place - index) + (place > index ? 0.5 : 0);
  const [nearest] = list
    .map((_, place) => place)
    .filter((place) => list[place] === entry)
    .toSorted((a, b) => distance(a) - distance(b));
  return nearest === undefined ? visit(history, entry) : { list, index: nearest };
}

export function canStep(history: NavigationHistory, by: 1 | -1): boolean {
  return history.list[history.index + by] !== undefined;
}

/** One entry back or forward; no change at either end. */
export function step(history: NavigationHistory, by: 1 | -1): NavigationHistory {
  return canStep(history, by) ? { ...history, index: history.index + by } : history;
}

/** Goes to the plugin home at `path`: appended unless it is the next or current entry (R 11.14). */
export function goHome(history: NavigationHistory, path: string): NavigationHistory {
  const { list, index } = history;
  if (list[index] === path) return history;
  return list[index + 1] === path ? step(history, 1) : visit(history, path);
}

const KEY = 'desktop_history';

/** The stored history of this tab, or undefined without a valid one. */
export function readHistory(storage: Pick<Storage, 'getItem'>): NavigationHistory | undefined {
  const stored = parse(storage.getItem(KEY) ?? '');
  if (typeof stored !== 'object' || stored === null || !('list' in stored) || !('index' in stored))
    return undefined;
  const { list, index } = stored;
  if (
    !Array.isArray(list) ||
    list.length > ENTRIES_MAX ||
    !list.every((entry) => typeof entry === 'string' && isEntry(entry))
  )
    return undefined;
  if (typeof index !== 'number' || !Number.isInteger(index) || !(index in list)) return undefined;
  return { list, index };
}

export function storeHistory(storage: Pick<Storage, 'setItem'>, { list, index }: NavigationHistory): void {
  storage.setItem(KEY, JSON.stringify({ list, index }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
