import { createContext, type MouseEvent, useContext } from 'react';
import {
  type Location,
  type NavigateOptions,
  useLocation,
  useNavigate,
  useSearchParams,
} from 'react-router-dom';

/** The location of the pending navigation, else the current one; absent on the server. */
export type LatestLocation = () => Pick<Location, 'pathname' | 'search'>;

export const LatestLocationContext = createContext<LatestLocation | undefined>(undefined);

/** Reads the query of the current page or of the pending navigation. */
export function useLatestQuery(): () => URLSearchParams {
  const shown = useLocation();
  const latestLocation = useContext(LatestLocationContext);
  return () => {
    const latest = latestLocation?.() ?? shown;
    return new URLSearchParams((latest.pathname === shown.pathname ? latest : shown).search);
  };
}

type ChangeQuery = (change: (query: URLSearchParams) => void, options?: NavigateOptions) => void;

/**
 * The query of the page and a function that changes it. Unlike the router's own hook each change starts from the latest
 * query, so that two quick changes don't overwrite each other.
 */
export function useLatestSearchParams(): [URLSearchParams, ChangeQuery] {
  const [query] = useSearchParams();
  const latestQuery = useLatestQuery();
  const navigate = useNavigate();
  const changeQuery: ChangeQuery = (change, options) => {
    const next = latestQuery();
    change(next);
    void navigate(`?${next}`, options);
  };
  return [query, changeQuery];
}

/** Reads the path of the current page, or of the one that someone is on their way to. */
export function useLatestPath(): () => string {
  const { pathname } = useLocation();
  const latestLocation = useContext(LatestLocationContext);
  return () => latestLocation?.().pathname ?? pathname;
}

/** Whether someone is on their way to another page, which may yet fail to load. */
export function useIsUnderWay(): () => boolean {
  const { pathname } = useLocation();
  const latestPath = useLatestPath();
  return () => latestPath() !== pathname;
}

/**
 * Navigates after something that took time, such as a call. Those who are on their way to another page by then stay on their
 * way.
 */
export function useNavigateAfter(): (to: string, options?: NavigateOptions) => void {
  const isUnderWay = useIsUnderWay();
  const navigate = useNavigate();
  return (to, options) => {
    if (!isUnderWay()) void navigate(to, options);
  };
}

type Modifiers = Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>;

/** The browser's own ways to open a link in another tab or window, or to save it. */
export function isModifiedClick({ button, metaKey, ctrlKey, shiftKey, altKey }: Modifiers): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}
