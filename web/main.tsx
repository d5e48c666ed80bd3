import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { fillCache } from './api/answered.ts';
import { holdAnswers } from './api/first-view.ts';
import { prefetchNeeds } from './api/prefetch.ts';
import { createQueryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { readBoot } from './boot-data.ts';
import { loadAccountMenu } from './features/session/account-menu-part.ts';
import { keepAskedLanguage } from './keep-asked-language.ts';
import { loadMessages, loadPageTexts } from './messages.ts';
import { PageInFrame } from './page-in-frame.tsx';
import { createPageLoader } from './page-loader.ts';
import { matchPage } from './page-match.ts';
import { createRouter } from './routing/router.ts';
import { RouterProvider } from './routing/router-provider.tsx';
import { tabHistory } from './routing/tab-history.ts';
import './ui/tokens.css';
import './ui/base.css';

/** Brings the page that the server has rendered to life, without fetching again what came with it. */
async function start(root: HTMLElement): Promise<void> {
  const { answered, session, ...site } = readBoot(document);
  keepAskedLanguage(document, site.language);
  const matched = matchPage(new URL(location.href));
  if (!matched) return;
  const [messages, Component] = await Promise.all([
    loadMessages(site.language, matched.page.source),
    matched.page.load(),
    session?.signed_in && loadAccountMenu(),
  ]);
  const queryClient = createQueryClient();
  fillCache(queryClient, { answered, session }, Date.now());
  const router = createRouter({
    history: tabHistory(window),
    first: { params: matched.target.params, frame: matched.page.frame, Component },
    prepare: createPageLoader({
      prefetch: (needs, signal) => prefetchNeeds(queryClient, needs, signal),
      textsOf: (source) => loadPageTexts(site.language, source),
      first: { page: matched.page, Component },
    }),
  });
  holdAnswers();
  hydrateRoot(
    root,
    <StrictMode>
      <App site={site} messages={messages} queryClient={queryClient}>
        <RouterProvider router={router}>{(page) => <PageInFrame page={page} />}</RouterProvider>
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
