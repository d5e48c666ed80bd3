import { createContext, useContext } from 'react';
import type { PageLocation } from './page-location.ts';
import type { PathParams } from './page-path.ts';
import type { Blocker, NavigateOptions, NavigationType, Router, RouterState } from './router.ts';

/** What the router needs to know of a page. */
export type RoutedPage = { params: PathParams };

export type AnyRouter = Pick<Router<RoutedPage>, 'navigate' | 'block' | 'onLeave'>;

export const RouterContext = createContext<AnyRouter | undefined>(undefined);
export const RouterStateContext = createContext<RouterState<RoutedPage> | undefined>(undefined);

function useRouter(): AnyRouter {
  const router = useContext(RouterContext);
  if (!router) throw new Error('RouterProvider is missing above this component.');
  return router;
}

export function useRouterState(): RouterState<RoutedPage> {
  const state = useContext(RouterStateContext);
  if (!state) throw new Error('RouterProvider is missing above this component.');
  return state;
}

/** Where the visitor is. */
export function useLocation(): PageLocation {
  return useRouterState().location;
}

/** How he came there. */
export function useNavigationType(): NavigationType {
  return useRouterState().type;
}

/** True while the next page is waited for. */
export function useIsNavigating(): boolean {
  return useRouterState().isNavigating;
}

/** Parameters of the page's path. */
export function useParams(): PathParams {
  return useRouterState().page.params;
}

/** Goes to an address of this site, or a number of entries back or forward; stays the same function. */
export function useNavigate(): (to: string | number, options?: NavigateOptions) => void {
  return useRouter().navigate;
}

export function useBlock(): (blocker: Blocker) => () => void {
  return useRouter().block;
}

export function useOnLeave(): AnyRouter['onLeave'] {
  return useRouter().onLeave;
}
