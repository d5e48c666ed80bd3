import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, RouterProvider } from 'react-router-dom';
import { fillCache } from './api/answered.ts';
import { prefetchNeeds } from './api/prefetch.ts';
import { createQueryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { readBoot } from './boot-data.ts';
import { keepAskedLanguage } from './keep-asked-language.ts';
import { loadGroup, loadMessages } from './messages.ts';
import { matchPage } from './page-match.ts';
import { routeObjects } from './router.tsx';
import { textGroupOf } from './text-groups.ts';
import './ui/tokens.css';
import './ui/base.css';

/** Brings the page that the server has rendered to life, without fetching again what came with it. */
async function start(root: HTMLElement): Promise<void> {
  const { answered, session, ...site } = readBoot(document);
  keepAskedLanguage(document, site.language);
  const matched = matchPage(new URL(location.href));
  const [messages, Page] = await Promise.all([
    loadMessages(site.language, matched && textGroupOf(matched.page.source)),
    matched?.page.load(),
  ]);
  const queryClient = createQueryClient();
  fillCache(queryClient, { answered, session }, Date.now());
  const routes = routeObjects({
    prefetch: (needs, signal) => prefetchNeeds(queryClient, needs, signal),
    textsOf: (group) => loadGroup(site.language, group),
    ...(matched && Page ? { ready: { path: matched.page.path, Component: Page } } : {}),
  });
  const matches = matchRoutes(routes, location) ?? [];
  const router = createBrowserRouter(routes, {
    hydrationData: { loaderData: Object.fromEntries(matches.map(({ route }) => [route.id, null])) },
  });
  hydrateRoot(
    root,
    <StrictMode>
      <App site={site} messages={messages} queryClient={queryClient}>
        <RouterProvider router={router} />
      </App>
    </StrictMode>,
    { onRecoverableError: (error, { componentStack }) => reportError(withStack(error, componentStack)) },
  );
}

function withStack(error: unknown, componentStack: string | null | undefined): Error {
  return new Error(`The page was rendered anew in the browser.${componentStack ?? ''}`, { cause: error });
}

const root = document.getElementById('root');
if (root) void start(root);
