import { useEffect, useLayoutEffect, useRef } from 'react';
import type { PageLocation } from './page-location.ts';
import { useOnLeave, useRouterState } from './router-context.ts';
import { keepPlaces, readPlaces, type ScrollPlaces } from './scroll-places.ts';

type Props = {
  /** Under which key the place is kept that a page is scrolled to. */
  keyOf: (location: PageLocation) => string;
};

/** A page begins at its top, or at its fragment; one that is come back to stands where it was left. */
export function ScrollRestoration({ keyOf }: Props) {
  const { location, preventScrollReset } = useRouterState();
  const onLeave = useOnLeave();
  const places = useRef<ScrollPlaces>(undefined);
  const shown = useRef<PageLocation>(undefined);
  useEffect(() => {
    const leaving = new AbortController();
    const store = (): void => {
      const known = { ...places.current, ...(shown.current && { [keyOf(shown.current)]: scrollY }) };
      keepPlaces(() => sessionStorage, known);
      history.scrollRestoration = 'auto';
    };
    history.scrollRestoration = 'manual';
    addEventListener('pagehide', store, { signal: leaving.signal });
    addEventListener('pageshow', () => (history.scrollRestoration = 'manual'), { signal: leaving.signal });
    const forget = onLeave((left) => {
      places.current = { ...places.current, [keyOf(left)]: scrollY };
    });
    return () => {
      forget();
      leaving.abort();
      history.scrollRestoration = 'auto';
    };
  }, [onLeave, keyOf]);
  useLayoutEffect(() => {
    const isFirst = shown.current === undefined;
    if (shown.current === location) return;
    shown.current = location;
    places.current ??= readPlaces(() => sessionStorage);
    const place = places.current[keyOf(location)];
    if (place !== undefined) scrollTo(0, place);
    else if (!isFirst && !scrollToFragment(location.hash) && !preventScrollReset) scrollTo(0, 0);
  }, [location, preventScrollReset, keyOf]);
  return null;
}

function scrollToFragment(hash: string): boolean {
  const element = hash === '' ? null : document.getElementById(decoded(hash.slice(1)));
  element?.scrollIntoView();
  return element !== null;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
