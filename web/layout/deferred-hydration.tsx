import { type ReactNode, type RefObject, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { boundaryHydrated, registerBoundary } from '../api/first-view.ts';

/**
 * A hydration boundary of the page, hydrated on its own: after the frame around it, in time slices, and immediately
 * when the visitor interacts with it.
 */
export function DeferredHydration({ children }: { children: ReactNode }) {
  const boundary = useRef(null);
  useLayoutEffect(() => {
    registerBoundary(boundary);
    return () => boundaryHydrated(boundary);
  }, []);
  return (
    <Suspense>
      <Hydrated boundary={boundary} />
      {children}
    </Suspense>
  );
}

/** A passive effect, so that it also runs after registration when both are rendered together. */
function Hydrated({ boundary }: { boundary: RefObject<null> }) {
  useEffect(() => boundaryHydrated(boundary), [boundary]);
  return null;
}
