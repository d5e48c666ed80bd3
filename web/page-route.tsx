import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useMemo } from 'react';
import { Navigate, type NonIndexRouteObject, type RouteObject } from 'react-router-dom';
import { IntlProvider, type Messages, useLocale, useMessages } from 'use-intl';
import type { Language } from '../shared/languages.ts';
import { routeLoaders } from './api/page-loader.ts';
import type { Page, Screen } from './layout/page.ts';
import { ErrorPage } from './layout/status-page.tsx';
import { whenReachable } from './loading/connection.ts';
import { codeOfNavigation, preloadCode } from './loading/load-code.ts';
import { loadPageTexts } from './messages.ts';

export type RouteOptions = {
  queryClient: QueryClient;
  language: Language;
  /** Milliseconds that a navigation waits for its data. */
  waitMs: number;
  /** Address of the running navigation; none while the document itself starts, and on the server. */
  target?: () => string | undefined;
};

export type RouteHandle = {
  /** The page's folder in `web/pages`, by which the build knows its assets. */
  folder: string;
  /** Loads code and texts ahead of use; a failure is ignored. */
  preload: () => void;
};

/** What `import.meta.glob` finds: the pages of each file `./pages/<folder>/route.ts`. */
export type PageFiles = Readonly<Record<string, readonly Page[]>>;

/** Pages within the frame of the site, and those without. */
export type PageRoutes = { site: RouteObject[]; bare: RouteObject[] };

/** The routes of pages; messages, code and data of a page load in parallel. */
export function pageRoutes(
  files: PageFiles,
  { queryClient, language, waitMs, target }: RouteOptions,
): PageRoutes {
  const routeLoader = routeLoaders(queryClient, waitMs);
  const targetOf = target ?? (() => undefined);
  const lazyRoute = (load: Screen['load']): Pick<NonIndexRouteObject, 'errorElement' | 'lazy'> => ({
    errorElement: <ErrorPage />,
    lazy: async () => ({ Component: await codeOfNavigation(load, targetOf) }),
  });
  const screenRoute = ({ path, load, children }: Screen): RouteObject => ({
    path,
    ...lazyRoute(load),
    ...(children && { children: children.map(screenRoute) }),
  });
  const pageRoute = (folder: string, { path, load, loader, start, children = [] }: Page): RouteObject => {
    const importPage = async () => withTexts(load(), folder, language);
    const handle: RouteHandle = { folder, preload: () => preloadCode(importPage) };
    return {
      id: `${folder} ${path}`,
      path,
      handle,
      ...lazyRoute(importPage),
      ...(loader ? { loader: routeLoader(loader) } : target && REACHABLE),
      children: [
        ...(start === undefined ? [] : [{ index: true, element: <Navigate to={start} replace /> }]),
        ...children.map(screenRoute),
      ],
    };
  };
  const found = Object.entries(files).flatMap(([file, pages]) =>
    pages.map((page) => ({ isBare: page.isBare, route: pageRoute(folderOf(file), page) })),
  );
  return {
    site: found.flatMap(({ isBare, route }) => (isBare ? [] : [route])),
    bare: found.flatMap(({ isBare, route }) => (isBare ? [route] : [])),
  };
}

function folderOf(file: string): string {
  return file.replace(/^\.\/pages\/|\/[^/]+$/g, '');
}

/** For pages that load their data themselves: without a network the page before stays. */
const REACHABLE: Pick<NonIndexRouteObject, 'loader' | 'shouldRevalidate'> = {
  loader: async ({ request }) => {
    await whenReachable(request.signal);
    return null;
  },
  shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
};

/** The page, with the messages of its folder added to those of every page. */
async function withTexts(
  page: Promise<ComponentType>,
  folder: string,
  language: Language,
): Promise<ComponentType> {
  const [Page, texts] = await Promise.all([page, loadPageTexts(language, folder)]);
  return () => (
    <PageMessages texts={texts}>
      <Page />
    </PageMessages>
  );
}

/**
 * Throws a failed code load where the page would be rendered, between header and footer: for a route whose `lazy`
 * rejects the router renders nothing at all.
 */
export function showFailures(routes: readonly RouteObject[]): void {
  for (const route of routes) {
    const { lazy, children = [] } = route;
    if (typeof lazy === 'function') route.lazy = () => Promise.resolve(lazy()).catch(failedRoute);
    showFailures(children);
  }
}

function failedRoute(error: unknown): { Component: ComponentType } {
  return {
    Component: () => {
      throw error;
    },
  };
}

type PageMessagesProps = { texts: Partial<Messages>; children: ReactNode };

/** Adds messages that the first page didn't have. */
function PageMessages({ texts, children }: PageMessagesProps) {
  const inherited = useMessages();
  const messages = useMemo(() => ({ ...inherited, ...texts }), [inherited, texts]);
  return (
    <IntlProvider locale={useLocale()} messages={messages}>
      {children}
    </IntlProvider>
  );
}
