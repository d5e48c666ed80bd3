import { createContext, useContext, useEffect, useState } from 'react';
import type { CollectionPage, ProfilePage, SoftwareApplication, WebSite, WithContext } from 'schema-dts';
import { useTranslations } from 'use-intl';
import { useSiteName } from './brand-mark.tsx';

/** A picture for share cards, which need its size before loading it. */
export type HeadPicture = { path: string; width: number; height: number; alt: string };

/** Structured data in the terms of schema.org. */
type PageData = WithContext<CollectionPage | ProfilePage | SoftwareApplication | WebSite>;

/** Metadata of a page: title bar, search results, share cards. */
export type PageHead = {
  /** Without the name of the site; absent for the home page. */
  title?: string;
  description?: string;
  /** Path of the canonical URL; absent when it must not be indexed. */
  canonical?: string;
  /** Picture of the share card. */
  image?: HeadPicture;
  /** What the page is about, for search engines; `absolute` makes an address of a path of this site. */
  data?: (absolute: (path: string) => string) => PageData;
  /** The Atom feed with what the page lists. */
  feed?: { path: string; title: string };
  /** HTTP status of the page; 200 when absent. */
  status?: number;
};

/** Collects the head during server rendering; absent in the browser. */
export type HeadCollector = { head: PageHead & { fullTitle: string } };

export const HeadContext = createContext<HeadCollector | undefined>(undefined);

/** Titles declared in the browser, in the order in which their components were first rendered. */
const titles = new Map<number, string>();
let rendered = 0;

/** Shows the innermost title: a component is first rendered after its ancestors. */
function showTitle(): void {
  const innermost = titles.get(Math.max(...titles.keys()));
  if (innermost !== undefined) document.title = innermost;
}

/** Declares the page's head: collected on the server, updated in the browser. */
export function usePageHead(head: PageHead): void {
  const t = useTranslations('site');
  const site = useSiteName();
  const fullTitle = head.title ? t('page_title', { page: head.title, site }) : t('home_title', { site });
  const collector = useContext(HeadContext);
  if (collector) collector.head = { ...head, fullTitle };
  const [order] = useState(() => rendered++);
  useEffect(() => {
    titles.set(order, fullTitle);
    showTitle();
    return () => {
      titles.delete(order);
      showTitle();
    };
  }, [fullTitle, order]);
}
