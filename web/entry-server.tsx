import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type ReactNode, StrictMode } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import {
  createStaticHandler,
  createStaticRouter,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router-dom';
import { createTranslator } from 'use-intl';
import type { FetchPageQuery, ServerEntry } from '../shared/boot.ts';
import { apiError } from './api/api-error.ts';
import type { Cancelled, ReadOperation } from './api/call.ts';
import { createServerQueryClient, dehydrateCache, SESSION_KEY } from './api/query-client.ts';
import { App } from './app.tsx';
import { htmlDocument } from './document.ts';
import { accountMenu } from './features/session/lazy-account-menu.ts';
import { firstViewQuery } from './first-view-query.ts';
import { type HeadCollector, HeadContext } from './layout/page-head.tsx';
import { createMemberRoutes } from './member-routes.tsx';
import { loadMessages } from './messages.ts';
import { pageAssets, styleHashes } from './page-assets.ts';
import type { RouteHandle } from './page-route.tsx';
import { createRoutes } from './routes.tsx';

/** React preloads images ahead of their markup; in a document sent in one piece that only delays the scripts. */
const PICTURE_PRELOADS = /^(?:<link rel="preload"[^>]*>)+/;

/** The parts of a URL that a document depends on (shared/boot.ts). */
export const target: ServerEntry['target'] = (url) => {
  const { pathname, searchParams } = addressOf(url, 'http://page');
  return pathname + firstViewQuery(pathname, searchParams);
};

/** The whole document of a page, with its hydration data. */
export const render: ServerEntry['render'] = async (url, { session, ...site }, fetchQuery) => {
  const address = addressOf(url, site.public_url);
  const { language, now } = site;
  const queryClient = createServerQueryClient(readBy(fetchQuery));
  if (session) queryClient.setQueryData(SESSION_KEY, session);
  // The gateway limits how long a page waits.
  const options = { queryClient, language, waitMs: Number.POSITIVE_INFINITY };
  const routes = createRoutes(options, createMemberRoutes(options));
  const handler = createStaticHandler(routes);
  const [messages, context] = await Promise.all([
    loadMessages(language),
    handler.query(new Request(address)),
    accountMenu.load(),
  ]);
  assertRendered(context);
  const t = createTranslator({ locale: language, messages, namespace: 'site' });
  const tError = createTranslator({ locale: language, messages, namespace: 'error' });
  const siteName = site.brand?.name ?? t('name');
  const collector: HeadCollector = { head: { fullTitle: siteName } };
  const body = await markupOf(
    <StrictMode>
      <HeadContext value={collector}>
        <App site={site} messages={messages} queryClient={queryClient}>
          <StaticRouterProvider
            router={createStaticRouter(handler.dataRoutes, context)}
            context={context}
            hydrate={false}
          />
        </App>
      </HeadContext>
    </StrictMode>,
  );
  const dehydrated = dehydrateCache(queryClient, now);
  queryClient.clear();
  const html = htmlDocument({
    boot: { site, dehydrated },
    requested: address,
    head: collector.head,
    siteName,
    assets: pageAssets({ folder: folderOf(context), language, isSignedIn: session?.signed_in ?? false }),
    startTexts: { text: tError('start_text'), reload: tError('reload') },
    body: body.replace(PICTURE_PRELOADS, ''),
  });
  return { status: collector.head.status ?? 200, html };
};

export const inlineHashes: ServerEntry['inlineHashes'] = { style: styleHashes, script: [] };

/** How loaders read on the server. Operations that the gateway doesn't answer are loaded in the browser. */
function readBy(fetchQuery: FetchPageQuery): ReadOperation {
  return async (operation, payload) => {
    const result = await fetchQuery({ operation, payload });
    if (!result) return { cancelled: true, message: 'not answered' } satisfies Cancelled;
    if (result.ok) return result.data;
    const { status, code, message } = result;
    throw apiError(
      typeof code === 'number' ? { status, code, foreignMessage: message } : { status, reason: code },
    );
  };
}

/** @throws the error of a failed route: then there is no page. */
function assertRendered(context: StaticHandlerContext | Response): asserts context is StaticHandlerContext {
  if (context instanceof Response)
    throw new Error(`A loader returned a response with status ${context.status}.`);
  const [error] = Object.values(context.errors ?? {});
  if (error !== undefined) throw error;
}

/** The folder of the matched page. */
function folderOf({ matches }: StaticHandlerContext): string {
  const handles = matches.flatMap(({ route }): RouteHandle[] => (route.handle ? [route.handle] : []));
  return handles.at(-1)?.folder ?? '';
}

/** React's marker for a boundary that it couldn't render. */
const BROKEN_BOUNDARY = '<!--$!-->';

/** Throws the error of any boundary that can't be rendered. */
async function markupOf(page: ReactNode): Promise<string> {
  const markup = renderToString(page);
  // Only streams report the error of a boundary, but take a third longer.
  return markup.includes(BROKEN_BOUNDARY) ? streamedMarkup(page) : markup;
}

function streamedMarkup(page: ReactNode): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: reject,
      onAllReady: () => resolve(text(pipe(new PassThrough()))),
    });
  });
}

/** A request target is always a path of this site, even if it starts with `//`. */
function addressOf(target: string, origin: string): URL {
  return new URL(`${new URL(origin).origin}/${target.replace(/^\//, '')}`);
}
