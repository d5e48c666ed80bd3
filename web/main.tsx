import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, type RouteObject, RouterProvider } from 'react-router-dom';
import type { SessionView } from '../shared/entities/user.ts';
import { readOperation, wire } from './api/client.ts';
import { firstViewHydrated, pauseUntilHydrated } from './api/first-view.ts';
import { rememberTool } from './api/in-tool.ts';
import { createQueryClient, hydrateCache, SESSION_KEY } from './api/query-client.ts';
import { App } from './app.tsx';
import { readBoot, START_ID } from './boot-data.ts';
import { pluginPath } from './features/plugins/plugin-path.ts';
import { storeRequestedLanguage } from './features/preferences/preference-cookie.ts';
import { accountMenu } from './features/session/lazy-account-menu.ts';
import { whenIdle } from './layout/when-idle.ts';
import { codeOfNavigation, loadCode, reloadOnce } from './loading/load-code.ts';
import { watchStyles } from './loading/load-style.ts';
import { loadMessages } from './messages.ts';
import { type RouteHandle, showFailures } from './page-route.tsx';
import { createRoutes, hasPage, SITE } from './routes.tsx';
import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';

/** Milliseconds that a navigation waits for its data before the page shows skeletons. */
const WAIT_MS = 250;

/** Hydrates the server-rendered page without fetching its data again. */
async function start(root: HTMLElement): Promise<void> {
  const { site, dehydrated } = readBoot(document);
  const { language } = site;
  rememberTool(site);
  storeRequestedLanguage(document, language);
  ignoreAbortedTransitions(document);
  watchStyles(document);
  const queryClient = createQueryClient(readOperation);
  hydrateCache(queryClient, dehydrated, Date.now());
  let router: ReturnType<typeof createBrowserRouter> | undefined;
  const target = (): string | undefined => {
    const next = router && (router.state.navigation.location ?? router.state.location);
    return next && next.pathname + next.search + next.hash;
  };
  const options = { queryClient, language, waitMs: WAIT_MS, target };
  const importMembers = async () => (await import('./member-routes.tsx')).createMemberRoutes(options);
  const visitorRoutes = createRoutes(options);
  const routes = hasPage(visitorRoutes, location.pathname)
    ? visitorRoutes
    : createRoutes(options, await codeOfNavigation(importMembers, target));
  const shown = (matchRoutes(routes, location) ?? []).map(({ route }) => route);
  const [messages] = await Promise.all([
    loadCode(() => loadMessages(language)),
    queryClient.getQueryData<SessionView>(SESSION_KEY)?.signed_in && accountMenu.load(),
    ...shown.map(loadRoute),
  ]);
  showFailures(routes);
  const created = createBrowserRouter(routes, {
    patchRoutesOnNavigation: async ({ path, patch }) => {
      if (hasPage(routes, path) || routes !== visitorRoutes) return;
      const { site, bare } = await codeOfNavigation(importMembers, target);
      showFailures([...site, ...bare]);
      patch(SITE, site);
      patch(null, bare);
    },
    // The document has its routes' data, so their loaders needn't run.
    hydrationData: { loaderData: Object.fromEntries(shown.map(({ id = '' }) => [id, null])) },
  });
  router = created;
  pauseUntilHydrated();
  hydrateRoot(
    root,
    <StrictMode>
      <App
        site={site}
        messages={messages}
        queryClient={queryClient}
        latestLocation={() => created.state.navigation.location ?? created.state.location}
      >
        <RouterProvider router={created} />
      </App>
    </StrictMode>,
    { onRecoverableError: (error, { componentStack }) => reportError(withStack(error, componentStack)) },
  );
  // Calls wait for hydration, and a click on a plugin is answered by its page at once.
  whenIdle(() => {
    wire.preload();
    preloadPage(visitorRoutes, pluginPath('-'));
  });
  // Until then nothing answers, and after a while its text says so.
  void firstViewHydrated().then(() => document.getElementById(START_ID)?.remove());
}

/** Loads the code of a route that the first render shows. */
async function loadRoute(route: RouteObject): Promise<void> {
  if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined });
}

function preloadPage(routes: RouteObject[], path: string): void {
  for (const { route } of matchRoutes(routes, path) ?? []) {
    const handle: RouteHandle | undefined = route.handle;
    handle?.preload();
  }
}

function withStack(error: unknown, componentStack: string | null | undefined): Error {
  return new Error(`Hydration failed; the page was rendered again in the browser.${componentStack ?? ''}`, {
    cause: error,
  });
}

/**
 * Ends an interrupted view transition without an unhandled error: its `ready` is rejected then, and React Router only
 * awaits `finished`.
 */
function ignoreAbortedTransitions(document: Document): void {
  if (!('startViewTransition' in document)) return;
  const start = document.startViewTransition.bind(document);
  document.startViewTransition = (update) => {
    const transition = start(update);
    transition.ready.catch(() => undefined);
    return transition;
  };
}

const root = document.getElementById('root');
if (root)
  start(root).catch((error: unknown) => {
    if (reloadOnce()) return;
    document.getElementById(START_ID)?.setAttribute('data-failed', '');
    reportError(error);
  });
