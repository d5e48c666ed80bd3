import { type ReactNode, type RefObject, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { boundaryHydrated, registerBoundary } from '../api/first-view.ts';

/**
 * A boundary of the page, hydrated by itself: after what surrounds it, a few milliseconds at a time, and at once when
 * somebody acts on it.
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

/** Passive, so that it also comes after the section was told of where both are rendered together. */
function Hydrated({ section }: { section: RefObject<null> }) {
  useEffect(() => boundaryHydrated(section), [section]);
  return null;
}
