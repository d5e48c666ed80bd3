import type { ComponentType } from 'react';
import type { LoaderFunctionArgs, RouteObject } from 'react-router-dom';
import type { Messages } from 'use-intl';
import type { Need } from '../shared/boot.ts';
import { PreferenceMenus } from './features/preferences/preference-menus.tsx';
import { ErrorPage } from './layout/error-page.tsx';
import { SiteFrame } from './layout/site-frame.tsx';
import { LaterTextsContext } from './layout/use-part.ts';
import type { PageRoute } from './page-route.ts';
import { withTexts } from './page-texts.tsx';
import { pageRoutes } from './routes.ts';
import { type TextGroup, textGroupOf } from './text-groups.ts';

type Options = {
  /** Fetches what a page needs while the router navigates to it; absent on the server. */
  prefetch?: (needs: Need[], signal: AbortSignal) => Promise<void>;
  /** Fetches texts that not every page shows; absent on the server, where all are there. */
  textsOf?: (group: TextGroup) => Promise<Partial<Messages>>;
  /** The page whose code and texts are already there, so that the first render need not wait for it. */
  ready?: { path: string; Component: ComponentType };
};

/** The routes as React Router wants them: pages in a site frame, and pages that bring their own. */
export function routeObjects(options: Options): RouteObject[] {
  const pages = (frame: PageRoute['frame']): RouteObject[] =>
    pageRoutes.filter((page) => page.frame === frame).map((page) => routeObject(page, options));
  return [
    {
      id: 'site',
      element: (
        <LaterTextsContext value={async () => (await options.textsOf?.('later')) ?? {}}>
          <SiteFrame preferences={<PreferenceMenus />} />
        </LaterTextsContext>
      ),
      errorElement: <ErrorPage />,
      children: pages('site'),
    },
    ...pages('bare'),
  ];
}

function routeObject(page: PageRoute, { prefetch, textsOf, ready }: Options): RouteObject {
  const { path, needs } = page;
  return {
    id: path,
    path,
    errorElement: <ErrorPage />,
    ...(ready?.path === path
      ? { Component: ready.Component }
      : { lazy: async () => ({ Component: await loadPage(page, textsOf).catch(brokenPage) }) }),
    ...(prefetch && needs
      ? {
          loader: async ({ request, params }: LoaderFunctionArgs) => {
            await prefetch(needs({ url: new URL(request.url), params }), request.signal);
            return null;
          },
        }
      : {}),
  };
}

async function loadPage({ load, source }: PageRoute, textsOf: Options['textsOf']): Promise<ComponentType> {
  const group = textGroupOf(source);
  const [Page, own] = await Promise.all([load(), group && textsOf?.(group)]);
  return own ? withTexts(Page, own) : Page;
}

/** Fails where the page would stand: the router shows nothing at all when `lazy` itself fails. */
function brokenPage(error: unknown): ComponentType {
  return () => {
    throw error;
  };
}
