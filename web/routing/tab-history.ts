import { addressOf, FIRST_KEY, locationOf, type PageLocation } from './page-location.ts';

/** What an entry carries: what the page before handed over, its key, and its place among the tab's entries. */
type Entry = { usr?: unknown; key?: string; idx?: number };

/** The tab's history, as the router moves in it. */
export type TabHistory = {
  location: () => PageLocation;
  push: (location: PageLocation) => void;
  replace: (location: PageLocation) => void;
  go: (delta: number) => void;
  /** Calls back when the browser itself has moved, by how many entries if that is known. Returns a way to stop. */
  listen: (moved: (delta: number | undefined) => void) => () => void;
};

/** The history of a browser's window. */
export function tabHistory(window: Window): TabHistory {
  const { history } = window;
  const entry = (): Entry =>
    typeof history.state === 'object' && history.state !== null ? history.state : {};
  let index = entry().idx ?? 0;
  if (entry().idx === undefined) history.replaceState({ ...entry(), idx: index }, '');
  const entryAt = ({ state, key }: PageLocation, idx: number): Entry => ({ usr: state, key, idx });
  return {
    location: () => ({
      ...locationOf(window.location),
      state: entry().usr ?? null,
      key: entry().key ?? FIRST_KEY,
    }),
    push: (location) => {
      index += 1;
      history.pushState(entryAt(location, index), '', addressOf(location));
    },
    replace: (location) => history.replaceState(entryAt(location, index), '', addressOf(location)),
    go: (delta) => history.go(delta),
    listen: (moved) => {
      const onPopState = (): void => {
        const next = entry().idx;
        const delta = next === undefined ? undefined : next - index;
        index = next ?? index;
        moved(delta);
      };
      window.addEventListener('popstate', onPopState);
      return () => window.removeEventListener('popstate', onPopState);
    },
  };
}
