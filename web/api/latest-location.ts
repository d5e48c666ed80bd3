import { createContext, type MouseEvent, useContext } from 'react';
import {
  type Location,
  type NavigateOptions,
  useLocation,
  useNavigate,
  useSearchParams,
} from 'react-router-dom';

/** Where the router is navigating to, else where it is; absent on the server. */
export type LatestLocation = () => Pick<Location, 'pathname' | 'search'>;

export const LatestLocationContext = createContext<LatestLocation | undefined>(undefined);

/** Reads the query of the page on screen, or the one that a pending navigation gives it. */
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
 * The query of the page on screen, and a way to change it. Unlike the router's own hook a change begins with the latest
 * query, so that of two quick changes none is lost.
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

/** The browser's own ways to open a link in another tab or window, or to save it. */
export function opensElsewhere({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}
