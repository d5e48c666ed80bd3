import { type ReactNode, startTransition, useEffect, useState } from 'react';
import type { PageLocation } from './page-location.ts';
import type { Router } from './router.ts';
import { type AnyRouter, type RoutedPage, RouterContext, RouterStateContext } from './router-context.ts';

type Props<P> = { router: Router<P>; children: (page: P) => ReactNode };

/** Shows the page that the router is at; `children` renders it. */
export function RouterProvider<P extends RoutedPage>({ router, children }: Props<P>) {
  const [state, setState] = useState(router.state);
  useEffect(() => {
    const read = (): void => startTransition(() => setState(router.state()));
    read();
    return router.subscribe(read);
  }, [router]);
  return (
    <RouterContext value={router}>
      <RouterStateContext value={state}>{children(state.page)}</RouterStateContext>
    </RouterContext>
  );
}

const nowhere = (): (() => void) => () => undefined;
/** A document that was sent leads nowhere before it has come to life. */
const STILL: AnyRouter = { navigate: nowhere, block: nowhere, onLeave: nowhere };

/** The same for one render on the server. */
export function StaticRouter<P extends RoutedPage>({
  location,
  page,
  children,
}: {
  location: PageLocation;
  page: P;
  children: (page: P) => ReactNode;
}) {
  const state = { location, type: 'POP', page, isNavigating: false, preventScrollReset: false } as const;
  return (
    <RouterContext value={STILL}>
      <RouterStateContext value={state}>{children(page)}</RouterStateContext>
    </RouterContext>
  );
}
