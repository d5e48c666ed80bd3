import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { assets } from 'virtual:client-assets';
import { type ReactNode, StrictMode } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { createTranslator } from 'use-intl';
import type { Boot, ServerEntry } from '../shared/boot.ts';
import { fillCache } from './api/answered.ts';
import { createQueryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import type { PageFiles } from './build/client-assets.ts';
import { htmlDocument, type PageAssets } from './document.ts';
import { loadAccountMenu } from './features/session/account-menu-part.ts';
import { firstViewQuery } from './first-view-query.ts';
import { type HeadCollector, HeadContext } from './layout/page-head.tsx';
import { leanAnswers } from './lean-answers.ts';
import { loadMessages } from './messages.ts';
import { PageInFrame } from './page-in-frame.tsx';
import { matchPage } from './page-match.ts';
import type { PageRoute } from './page-route.ts';
import { locationOf } from './routing/page-location.ts';
import { StaticRouter } from './routing/router-provider.tsx';
import { textGroupOf } from './text-groups.ts';

/** What a page without an own chunk stands on. */
const NO_PAGE = { scripts: [], css: assets.css, inlined: [], styles: [] };

/** All texts are there when the server renders. */
const noTexts = async () => ({});

/** React asks for pictures ahead of their markup; in a document sent in one piece that only delays the scripts. */
const PICTURE_PRELOADS = /^(?:<link rel="preload"[^>]*>)+/;

/** What of an address a document depends on (shared/boot.ts). */
export const target: ServerEntry['target'] = (url) => {
  const { pathname, searchParams } = addressOf(url, 'http://page');
  const matched = matchPage(addressOf(url, 'http://page'));
  return pathname + firstViewQuery(matched?.page.path ?? '*', searchParams);
};

/** Calls whose answers a page is rendered with (shared/boot.ts). */
export const queries: ServerEntry['queries'] = (url) => {
  const matched = matchPage(addressOf(url, 'http://page'));
  return matched?.page.needs?.(matched.target) ?? [];
};

/** The whole document of a page, with what it needs to come to life. */
export const render: ServerEntry['render'] = async (url, boot) => {
  const { answered, session, ...site } = boot;
  const address = addressOf(url, boot.public_url);
  const matched = matchPage(address);
  if (!matched) throw new Error(`No page is at ${address.pathname}.`);
  const { page, target } = matched;
  const [messages, Component] = await Promise.all([
    loadMessages(boot.language, textGroupOf(page.source)),
    page.load(),
    loadAccountMenu(),
  ]);
  const t = createTranslator({ locale: boot.language, messages, namespace: 'site' });
  const queryClient = createQueryClient();
  fillCache(queryClient, { answered, session }, boot.now);
  const collector: HeadCollector = { head: { fullTitle: t('name') } };
  const body = await markupOf(
    <StrictMode>
      <HeadContext value={collector}>
        <App site={site} messages={messages} queryClient={queryClient}>
          <StaticRouter
            location={locationOf({ pathname: address.pathname, search: address.search, hash: '' })}
            page={{ params: target.params, frame: page.frame, Component }}
          >
            {(shown) => <PageInFrame page={shown} laterTexts={noTexts} />}
          </StaticRouter>
        </App>
      </HeadContext>
    </StrictMode>,
  );
  queryClient.clear();
  const html = htmlDocument({
    boot: { ...boot, answered: leanAnswers(answered) },
    asked: address,
    head: collector.head,
    siteName: t('name'),
    assets: assetsOf(page, boot, body),
    body: body.replace(PICTURE_PRELOADS, ''),
  });
  return { status: collector.head.status ?? 200, html };
};

export const inlineHashes: ServerEntry['inlineHashes'] = { style: assets.cssHashes, script: [] };

/** What React writes in place of a section that it could not render. */
const BROKEN_SECTION = '<!--$!-->';

/** Fails with what is wrong where any of the page cannot be rendered. */
async function markupOf(page: ReactNode): Promise<string> {
  const markup = renderToString(page);
  // Streams alone tell what went wrong in a section, and take a third longer.
  return markup.includes(BROKEN_SECTION) ? streamedMarkup(page) : markup;
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

/** A request target is a path of this site, also when it begins like the address of another one. */
function addressOf(target: string, origin: string): URL {
  return new URL(`${new URL(origin).origin}/${target.replace(/^\//, '')}`);
}

/** Whether a page shows what first views seldom do. */
const SHOWS_LATER = new RegExp(`class="(?:[^"]* )?(?:${assets.laterClasses.join('|')})[ "]`);

function assetsOf(page: PageRoute, boot: Boot, body: string): PageAssets {
  const { script, icon, entryPreloads, languages, texts } = assets;
  const group = textGroupOf(page.source);
  const { scripts, css, lean, inlined, styles }: PageFiles = assets.pages[page.source] ?? NO_PAGE;
  const isLean = lean !== undefined && !SHOWS_LATER.test(body);
  const preloads = [
    ...scripts,
    ...languages[boot.language],
    ...(group ? texts[group][boot.language] : []),
    ...(boot.session?.signed_in ? assets.account : []),
  ];
  return {
    scripts: [...entryPreloads, script],
    icon,
    css: isLean ? lean.css : css,
    wholeCss: isLean ? lean.whole : undefined,
    inlined,
    styles,
    preloads: [...new Set(preloads)],
  };
}
