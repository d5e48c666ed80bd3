import { createContext, useContext, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSiteName } from './brand-mark.tsx';

/** A picture as share cards take it: they ask for its size ahead of its bytes. */
export type HeadPicture = { path: string; width: number; height: number; alt: string };

/** What a page says about itself: title bar, search results, share cards. */
export type PageHead = {
  /** Without the name of the site; absent for the home page. */
  title?: string;
  description?: string;
  /** Path of the page's one true address; absent when it must not be indexed. */
  canonical?: string;
  /** What a share card shows. */
  image?: HeadPicture;
  /** HTTP status of the page; 200 when absent. */
  status?: number;
};

/** Where the server collects the head while it renders; nothing in the browser. */
export type HeadCollector = { head: PageHead & { fullTitle: string } };

export const HeadContext = createContext<HeadCollector | undefined>(undefined);

/** Titles declared on the page in the browser, by the order in which their components were first rendered. */
const titles = new Map<number, string>();
let rendered = 0;

/** Shows the title declared furthest inside: a component is first rendered after the ones around it. */
function showTitle(): void {
  const innermost = titles.get(Math.max(...titles.keys()));
  if (innermost !== undefined) document.title = innermost;
}

/** Declares the page's head: collected when rendered on the server, kept up to date in the browser. */
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
