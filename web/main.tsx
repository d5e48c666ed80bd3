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
import { loadGroup, loadMessages } from './messages.ts';
import { PageInFrame } from './page-in-frame.tsx';
import { createPageLoader } from './page-loader.ts';
import { matchPage } from './page-match.ts';
import { createRouter } from './routing/router.ts';
import { RouterProvider } from './routing/router-provider.tsx';
import { tabHistory } from './routing/tab-history.ts';
import { type TextGroup, textGroupOf } from './text-groups.ts';
import './ui/tokens.css';
import './ui/base.css';

/** Puts the styles in force that the document showed nothing of and the browser has fetched meanwhile (web/document.ts). */
function dress(document: Document): void {
  const whole = document.querySelector<HTMLLinkElement>('link[rel=stylesheet][media=print]');
  if (whole) whole.media = 'all';
}

/** Brings the page that the server has rendered to life, without fetching again what came with it. */
async function start(root: HTMLElement): Promise<void> {
  dress(document);
  const { answered, session, ...site } = readBoot(document);
  keepAskedLanguage(document, site.language);
  const matched = matchPage(new URL(location.href));
  if (!matched) return;
  const [messages, Component] = await Promise.all([
    loadMessages(site.language, textGroupOf(matched.page.source)),
    matched.page.load(),
    session?.signed_in && loadAccountMenu(),
  ]);
  const queryClient = createQueryClient();
  fillCache(queryClient, { answered, session }, Date.now());
  const textsOf = (group: TextGroup) => loadGroup(site.language, group);
  const laterTexts = () => textsOf('later');
  const router = createRouter({
    history: tabHistory(window),
    first: { params: matched.target.params, frame: matched.page.frame, Component },
    prepare: createPageLoader({
      prefetch: (needs, signal) => prefetchNeeds(queryClient, needs, signal),
      textsOf,
      first: { page: matched.page, Component },
    }),
  });
  holdAnswers();
  hydrateRoot(
    root,
    <StrictMode>
      <App site={site} messages={messages} queryClient={queryClient}>
        <RouterProvider router={router}>
          {(page) => <PageInFrame page={page} laterTexts={laterTexts} />}
        </RouterProvider>
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
