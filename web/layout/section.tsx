import { type ReactNode, type RefObject, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { boundaryHydrated, registerBoundary } from '../api/first-view.ts';

/**
 * A hydration boundary of the page, hydrated on its own: after the frame around it, in time slices, and immediately
 * when the visitor interacts with it.
 */
export function Section({ children }: { children: ReactNode }) {
  const section = useRef(null);
  useLayoutEffect(() => {
    registerBoundary(section);
    return () => boundaryHydrated(section);
  }, []);
  return (
    <Suspense>
      <Hydrated section={section} />
      {children}
    </Suspense>
  );
}

/** A passive effect, so that it also runs after registration when both are rendered together. */
function Hydrated({ section }: { section: RefObject<null> }) {
  useEffect(() => boundaryHydrated(section), [section]);
  return null;
}
