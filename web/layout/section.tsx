import { type ReactNode, type RefObject, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { awaitSection, endSection } from '../api/first-view.ts';

/**
 * A part of the page that comes to life by itself: after what surrounds it, a few milliseconds at a time, and at once when
 * somebody acts on it.
 */
export function Section({ children }: { children: ReactNode }) {
  const section = useRef(null);
  useLayoutEffect(() => {
    awaitSection(section);
    return () => endSection(section);
  }, []);
  return (
    <Suspense>
      <Awake section={section} />
      {children}
    </Suspense>
  );
}

/** Passive, so that it also comes after the section was told of where both are rendered together. */
function Awake({ section }: { section: RefObject<null> }) {
  useEffect(() => endSection(section), [section]);
  return null;
}
