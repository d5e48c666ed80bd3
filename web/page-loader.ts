import type { ComponentType } from 'react';
import type { Messages } from 'use-intl';
import type { PrefetchQuery } from '../shared/boot.ts';
import { matchPage } from './page-match.ts';
import type { PageRoute } from './page-route.ts';
import { withTexts } from './page-texts.tsx';
import { addressOf, type PageLocation } from './routing/page-location.ts';
import type { RoutedPage } from './routing/router-context.ts';
import { type TextGroup, textGroupOf } from './text-groups.ts';

/** A page with its code, ready to be shown. */
export type ShownPage = RoutedPage & { frame: PageRoute['frame']; Component: ComponentType };

type Options = {
  /** Fetches what a page needs while it is navigated to. */
  prefetch: (needs: PrefetchQuery[], signal: AbortSignal) => Promise<void>;
  /** Fetches texts that not every page shows. */
  textsOf: (group: TextGroup) => Promise<Partial<Messages>>;
  /** The page that the document came with, whose texts are there. */
  first: { page: PageRoute; Component: ComponentType };
};

/** Makes what fetches the page at a location: its code, its texts and its data at the same time. */
export function createPageLoader({ prefetch, textsOf, first }: Options) {
  // Each is made once: React would take another one for another page.
  const loaded = new Map<PageRoute, ComponentType>([[first.page, first.Component]]);
  const load = async (page: PageRoute): Promise<ComponentType> => {
    const component = loaded.get(page) ?? (await loadPage(page, textsOf));
    const known = loaded.get(page) ?? component;
    loaded.set(page, known);
    return known;
  };
  return async (location: PageLocation, signal: AbortSignal): Promise<ShownPage> => {
    const matched = matchPage(new URL(addressOf(location), window.location.origin));
    if (!matched) throw new Error(`No page is at ${location.pathname}.`);
    const { page, target } = matched;
    const [Component] = await Promise.all([
      load(page).catch(brokenPage),
      page.needs && prefetch(page.needs(target), signal),
    ]);
    return { params: target.params, frame: page.frame, Component };
  };
}

async function loadPage(page: PageRoute, textsOf: Options['textsOf']): Promise<ComponentType> {
  const group = textGroupOf(page.source);
  const [Page, own] = await Promise.all([page.load(), group && textsOf(group)]);
  return own ? withTexts(Page, own) : Page;
}

/** Fails where the page would stand, between header and footer. */
function brokenPage(error: unknown): ComponentType {
  return () => {
    throw error;
  };
}
