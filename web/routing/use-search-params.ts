import { useCallback, useMemo } from 'react';
import type { NavigateOptions } from './router.ts';
import { useLocation, useNavigate } from './router-context.ts';

type Change = Readonly<Record<string, string>> | ((before: URLSearchParams) => URLSearchParams);

/** The query of the page's address, and a way to go to the same page with another one. */
export function useSearchParams(): [URLSearchParams, (change: Change, options?: NavigateOptions) => void] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const setQuery = useCallback(
    (change: Change, options?: NavigateOptions) => {
      const next = typeof change === 'function' ? change(new URLSearchParams(query)) : change;
      navigate(`?${new URLSearchParams(next)}`, options);
    },
    [navigate, query],
  );
  return [query, setQuery];
}
