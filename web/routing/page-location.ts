/** Where in the site a visitor is: an entry of the tab's history. */
export type PageLocation = {
  pathname: string;
  /** With its question mark; empty without a query. */
  search: string;
  /** With its number sign; empty without a fragment. */
  hash: string;
  /** What the page before handed over. */
  state: unknown;
  /** Tells entries of the history apart. */
  key: string;
};

/** Key of the entry that a tab begins with. */
export const FIRST_KEY = 'default';

/** Stands in for the site's own origin, of which locations know nothing. */
const SITE = 'http://site.invalid';

/** The location of an address of this site that nobody has navigated to yet. */
export function locationOf({
  pathname,
  search,
  hash,
}: Pick<URL, 'pathname' | 'search' | 'hash'>): PageLocation {
  return { pathname, search, hash, state: null, key: FIRST_KEY };
}

export function addressOf({
  pathname,
  search,
  hash,
}: Pick<PageLocation, 'pathname' | 'search' | 'hash'>): string {
  return pathname + search + hash;
}

/** The address that `to` means on a page: a path of this site, or a query or fragment of that page. */
export function addressFrom({ pathname, search }: PageLocation, to: string): string {
  if (to.startsWith('?')) return pathname + to;
  return to.startsWith('#') ? pathname + search + to : to;
}

/** The location `to` leads to from a page, in the spelling that browsers give addresses. */
export function locationFrom(from: PageLocation, to: string, state: unknown): PageLocation {
  const { pathname, search, hash } = new URL(addressFrom(from, to), SITE);
  return { pathname, search, hash, state, key: Math.random().toString(36).slice(2, 10) };
}
