import { createContext } from 'react';
import { BASE_PATH, COLLECTIONS_PATH, PUBLISHER_PATH, type Source } from '../../../shared/constants.ts';
import { pluginFilterOf, tagsOf } from './plugin-filter.ts';
import { PLUGIN_PATH } from './plugin-path.ts';

/**
 * Where a visitor came from to a plugin: a kind of page, and what they searched for; never an address. Without a source they
 * came directly.
 */
export type Arrival = { source?: Source; keyword?: string };

/** Tells where a plugin on the current page was found; absent where nobody keeps track. */
export const ArrivalContext = createContext<(() => Arrival) | undefined>(undefined);

/** Pages that show plugins, by the beginning of their path. */
const PAGES: readonly (readonly [path: string, source: Source])[] = [
  [PLUGIN_PATH, 'related'],
  [PUBLISHER_PATH, 'publisher'],
  [`${BASE_PATH}collection/`, 'collection'],
  [`${COLLECTIONS_PATH}/`, 'collection'],
];

type Visit = {
  /** Path and query of the current page. */
  here: string;
  /** Path and query of the page before, or the referrer of the document. */
  before: string;
  origin: string;
};

/** Where a visitor found what the current page shows: on this page, and for the page of a plugin on the one before. */
export function arrivalOf({ here, before, origin }: Visit): Arrival {
  return arrivalFrom(here.startsWith(PLUGIN_PATH) ? before : here, origin);
}

function arrivalFrom(address: string, origin: string): Arrival {
  const url = address === '' ? null : URL.parse(address, origin);
  if (url?.origin !== origin) return {};
  if (url.pathname !== BASE_PATH) {
    const source = PAGES.find(([path]) => url.pathname.startsWith(path))?.[1];
    return source ? { source } : {};
  }
  const filter = pluginFilterOf(url.searchParams);
  if (filter.keyword !== '') return { source: 'search', keyword: filter.keyword };
  return { source: filter.tag_id > 0 || tagsOf(filter).length > 0 ? 'tag' : 'home' };
}
