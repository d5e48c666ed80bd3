import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useMemo } from 'react';
import type { NonIndexRouteObject, RouteObject } from 'react-router-dom';
import { IntlProvider, type Messages, useLocale, useMessages } from 'use-intl';
import type { Language } from '../shared/languages.ts';
import { type PageLoader, routeLoaders } from './api/page-loader.ts';
import { ErrorPage } from './layout/status-page.tsx';
import { whenReachable } from './loading/connection.ts';
import { codeOfNavigation } from './loading/load-code.ts';
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
  /** The page's source file, by which the build knows its assets. */
  source: string;
  /** Loads code and texts ahead of use; a failure is ignored. */
  preload: () => void;
};

/** Imports a file that exports the component `Name`. */
type ImportOf<Name extends string> = () => Promise<Readonly<Record<Name, ComponentType>>>;

/** Creates the functions that define page routes; messages, code and data of a page load in parallel. */
export function pageRoutes({ queryClient, language, waitMs, target }: RouteOptions) {
  const routeLoader = routeLoaders(queryClient, waitMs);
  const targetOf = target ?? (() => undefined);
  return {
    /** A page of `web/pages`, with the message chunk of its folder. */
    page<Name extends string>(
      path: string,
      file: string,
      load: ImportOf<Name>,
      name: Name,
      loader?: PageLoader,
    ): NonIndexRouteObject {
      const source = `web/pages/${file}.tsx`;
      const loadPage = async () => (await load())[name];
      const importPage = async () => withTexts(loadPage(), source, language);
      const handle: RouteHandle = { source, preload: () => void importPage().catch(() => undefined) };
      return {
        id: `${file} ${path}`,
        path,
        handle,
        errorElement: <ErrorPage />,
        lazy: async () => ({ Component: await codeOfNavigation(importPage, targetOf) }),
        ...(loader ? { loader: routeLoader(loader) } : target && REACHABLE),
      };
    },
    /** A part of a page with its own URL and chunk. */
    screen<Name extends string>(path: string, load: ImportOf<Name>, name: Name): NonIndexRouteObject {
      const importScreen = async () => (await load())[name];
      return {
        path,
        errorElement: <ErrorPage />,
        lazy: async () => ({ Component: await codeOfNavigation(importScreen, targetOf) }),
      };
    },
  };
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
  source: string,
  language: Language,
): Promise<ComponentType> {
  const [Page, texts] = await Promise.all([page, loadPageTexts(language, source)]);
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
