import { addressOf, locationFrom, type PageLocation } from './page-location.ts';
import type { TabHistory } from './tab-history.ts';

/** How a page was come to: by a link, by a link that keeps no way back, or by the browser itself. */
export type NavigationType = 'PUSH' | 'REPLACE' | 'POP';

export type NavigateOptions = {
  replace?: boolean | undefined;
  /** Handed over to the next page. */
  state?: unknown;
  /** Leaves the page scrolled where it is. */
  preventScrollReset?: boolean | undefined;
};

/** What is on screen. `P` is all that a page needs to be shown. */
export type RouterState<P> = {
  location: PageLocation;
  type: NavigationType;
  page: P;
  /** True while the next page is waited for. */
  isNavigating: boolean;
  preventScrollReset: boolean;
};

/** Decides whether a page is left; `proceed` leaves it after all. */
export type Blocker = (from: PageLocation, to: PageLocation, proceed: () => void) => boolean;

/** Moves between pages without loading a document. */
export type Router<P> = {
  state: () => RouterState<P>;
  subscribe: (changed: () => void) => () => void;
  /** To an address of this site, or a number of entries back or forward. */
  navigate: (to: string | number, options?: NavigateOptions) => void;
  /** Asks before any page is left; one asks at a time. Returns a way to stop. */
  block: (blocker: Blocker) => () => void;
  /** Calls back as soon as the page is about to be left. Returns a way to stop. */
  onLeave: (leaves: (location: PageLocation) => void) => () => void;
};

type Options<P> = {
  history: TabHistory;
  /** The page at the location that the tab begins with. */
  first: P;
  /** Fetches what the page at a location needs; a navigation that comes in between aborts the signal. */
  prepare: (location: PageLocation, signal: AbortSignal) => Promise<P>;
};

/**
 * Makes the router of a tab. The page on screen stays until the next one is there; only then does a followed link become
 * an entry of the history. Where only the fragment changes nothing is fetched (specification section 2).
 */
export function createRouter<P>({ history, first, prepare }: Options<P>): Router<P> {
  let state: RouterState<P> = {
    location: history.location(),
    type: 'POP',
    page: first,
    isNavigating: false,
    preventScrollReset: false,
  };
  const changed = new Set<() => void>();
  const leaving = new Set<(location: PageLocation) => void>();
  let blocker: Blocker | undefined;
  /** Moves of the history that undo a blocked one, or repeat it once it was allowed. */
  let ownMove: 'undone' | 'allowed' | undefined;
  let pending = new AbortController();

  const set = (change: Partial<RouterState<P>>): void => {
    state = { ...state, ...change };
    for (const tell of changed) tell();
  };
  const show = async (
    location: PageLocation,
    type: NavigationType,
    preventScrollReset: boolean,
    keep?: () => void,
  ): Promise<void> => {
    pending.abort();
    pending = new AbortController();
    const { signal } = pending;
    for (const tell of leaving) tell(state.location);
    let { page } = state;
    if (!isSamePage(state.location, location)) {
      set({ isNavigating: true });
      page = await prepare(location, signal);
      if (signal.aborted) return;
    }
    keep?.();
    set({ location, type, page, preventScrollReset, isNavigating: false });
  };
  const follow = (to: string, options: NavigateOptions, isAllowed = false): void => {
    const from = state.location;
    const location = locationFrom(from, to, options.state ?? null);
    if (!isAllowed && blocker?.(from, location, () => follow(to, options, true))) return;
    void show(location, options.replace ? 'REPLACE' : 'PUSH', options.preventScrollReset ?? false, () =>
      options.replace ? history.replace(location) : history.push(location),
    );
  };
  history.listen((delta = 0) => {
    const move = ownMove;
    ownMove = undefined;
    if (move === 'undone') return;
    const location = history.location();
    const proceed = (): void => {
      ownMove = 'allowed';
      history.go(delta);
    };
    // A fragment that the browser followed by itself stands at no known place.
    if (move !== 'allowed' && delta !== 0 && blocker?.(state.location, location, proceed)) {
      ownMove = 'undone';
      history.go(-delta);
      return;
    }
    void show(location, 'POP', false);
  });
  return {
    state: () => state,
    subscribe: (tell) => {
      changed.add(tell);
      return () => changed.delete(tell);
    },
    navigate: (to, options = {}) => (typeof to === 'number' ? history.go(to) : follow(to, options)),
    block: (asked) => {
      blocker = asked;
      return () => {
        if (blocker === asked) blocker = undefined;
      };
    },
    onLeave: (leaves) => {
      leaving.add(leaves);
      return () => leaving.delete(leaves);
    },
  };
}

/** True where only the fragment differs, and there is one. */
function isSamePage(before: PageLocation, after: PageLocation): boolean {
  return after.hash !== '' && addressOf({ ...before, hash: '' }) === addressOf({ ...after, hash: '' });
}
