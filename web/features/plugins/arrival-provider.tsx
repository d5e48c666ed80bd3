import { type ReactNode, useCallback, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { isInTool } from '../../api/in-tool.ts';
import { ArrivalContext, arrivalOf } from './arrival.ts';

/** The current page and the one before, by path and query; the first page of a document has none. */
type Visit = { pathname: string; here: string; before?: string | undefined };

/** Keeps track of the page before the current one, so that plugins know where they were found. */
export function ArrivalProvider({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation();
  const here = pathname + search;
  const [visit, setVisit] = useState<Visit>({ pathname, here });
  // A page that changes its query is still the same page.
  if (visit.here !== here)
    setVisit({ pathname, here, before: visit.pathname === pathname ? visit.before : visit.here });
  const arrival = useCallback(() => {
    if (isInTool()) return { source: 'tool' as const };
    const { origin } = location;
    return arrivalOf({ here: visit.here, before: visit.before ?? document.referrer, origin });
  }, [visit]);
  return <ArrivalContext value={arrival}>{children}</ArrivalContext>;
}
