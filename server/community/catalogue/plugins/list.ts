import { LRUCache, type Perf } from 'lru-cache';
import {
  ALL_TAG_ID,
  FILTER_NAMES,
  type FilterName,
  PUBLISHER_NEWS,
  SORT_LATEST,
  SORT_RELEVANCE,
} from '../../../../shared/constants.ts';
import type { PluginCard, PluginPage } from '../../../../shared/entities/plugin.ts';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import { cappedTotal } from '../../../../shared/paging.ts';
import type { QueryOf } from '../../../../shared/route.ts';
import type { pluginRoutes } from '../../../../shared/routes/plugin.ts';
import { appError } from '../../../http/errors.ts';
import {
  cutPage,
  decodeCursor,
  LatestPlace,
  LatestSearchPlace,
  PopularPlace,
  SearchPlace,
} from '../../pages.ts';
import type { Db } from '../../schema.ts';
import type { JapaneseReader } from '../japanese/reader.ts';
import type { Sort } from '../listing-order.ts';
import type { MissedSearches } from '../missed-searches/missed.ts';
import { readBeginnings } from '../search/beginnings.ts';
import { filtered, queriesOf } from '../search/filters.ts';
import { foldName } from '../search/lexemes.ts';
import { type KeywordQuery, type KeywordReadings, queryOfKeyword, UNREAD } from '../search/query.ts';
import { findMatches, type Match, type Search } from '../search/ranked-store.ts';
import { findSimilar } from '../search/similar.ts';
import { type Expected, expectWords, readListed } from '../search/store.ts';
import { cardsOf, type Reader } from './cards.ts';
import { readListing, readPublisherIds, readPublisherUser, readRecommendedIds } from './store.ts';

type ListQuery = QueryOf<(typeof pluginRoutes)['listPlugins']>;
type Page = Omit<PluginPage, 'plugin_list'> & { pluginIds: number[] };

/** The database, the cached statistics of keywords, the searches that found nothing, and the clock (milliseconds since 1970). */
type Searching = { db: Db; known: KnownWords; missed: Pick<MissedSearches, 'note'>; now: () => number };

/** What finds plugins, and what reads Japanese keywords. */
type Listing = Searching & { japanese: Pick<JapaneseReader, 'readKeyword'> };

/**
 * Reads a page of published plugins.
 * @throws TAG_NOT_FOUND, BAD_CURSOR
 */
export async function listPlugins(
  { japanese, ...searching }: Listing,
  query: ListQuery,
  reader: Reader,
): Promise<PluginPage> {
  const { db, now } = searching;
  const keyword = foldName(query.keyword);
  const filters = queriesOf(query, now());
  const page =
    keyword === '' && filters.length === 0
      ? await browse(db, query)
      : await search(searching, query, {
          keyword,
          filters,
          readings: await japanese.readKeyword(query.keyword, reader.language),
        });
  const { pluginIds, ...rest } = page;
  return { ...rest, plugin_list: await cardsOf(db, pluginIds, reader) };
}

async function browse(db: Db, query: ListQuery): Promise<Page> {
  const { tag_id: tagId, cursor, limit } = query;
  const sort = orderOf(query) ?? SORT_LATEST;
  const list = ['browse', tagId, sort];
  const place = sort === SORT_LATEST ? LatestPlace : PopularPlace;
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, place);
  const found = await readListing(db, { tagId, sort, after, limit: limit + 1 });
  if (!found) throw appError('TAG_NOT_FOUND');
  const { rows, next_cursor } = cutPage(found.rows, limit, {
    list,
    placeOf: ({ sort_key, plugin_id }) => [sort_key, plugin_id],
  });
  return {
    total: found.total,
    total_estimated: false,
    next_cursor,
    pluginIds: rows.map((row) => row.plugin_id),
    ...(found.filling && cursor === undefined && { filling: found.filling }),
  };
}

/** The order asked for; undefined for relevance. */
function orderOf({ sort }: ListQuery): Sort | undefined {
  return sort === SORT_RELEVANCE ? undefined : sort;
}

type Found = { rows: Match[]; total: number };
const NOTHING: Found = { rows: [], total: 0 };

/**
 * Reads a page of the plugins that match filters and a keyword, or else similar words: by relevance, or in the order asked
 * for, which is the latest first without a keyword.
 * @param sought.keyword folded; with it empty there are filters
 * @param sought.readings of kanji in it
 * @throws TAG_NOT_FOUND, BAD_CURSOR
 */
export async function search(
  searching: Searching,
  query: ListQuery,
  {
    keyword,
    filters,
    readings = UNREAD,
  }: { keyword: string; filters: readonly string[]; readings?: KeywordReadings },
): Promise<Page> {
  const { db, missed } = searching;
  const { tag_id: tagId, cursor, limit, exact } = query;
  const sort = orderOf(query) ?? (keyword === '' ? SORT_LATEST : undefined);
  const list = ['search', tagId, sort ?? '', keyword, ...FILTER_NAMES.flatMap((name) => chosen(name, query))];
  const place = sort === SORT_LATEST ? LatestSearchPlace : SearchPlace;
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, place);
  const listed = await readListed(db, tagId);
  if (listed === undefined) throw appError('TAG_NOT_FOUND');
  const find = (words: KeywordQuery | undefined) => {
    if (!words && keyword !== '') return NOTHING;
    const restricted = filtered(words, filters, tagId);
    return readFound(searching, { tagId, query: restricted, sort, after, limit: limit + 1 }, listed);
  };
  const beginnings = await readBeginnings(db, keyword, { tagId, filters, readings });
  const words = queryOfKeyword(keyword, tagId, readings, beginnings);
  const found = after?.[4] === 1 ? NOTHING : await find(words);
  const isMissed = words !== undefined && found.rows.length === 0 && !after;
  if (isMissed && tagId === ALL_TAG_ID && filters.length === 0) missed.note(keyword);
  const isSimilar = keyword !== '' && found.rows.length === 0 && after?.[4] !== 0 && exact === undefined;
  const similar = isSimilar ? await findSimilar(db, keyword, tagId, readings) : undefined;
  const { rows: all, total } = similar ? await find(similar.query) : found;
  const { rows, next_cursor } = cutPage(all, limit, {
    list,
    placeOf: (last) => [last.match_rank, last.sort_key, last.plugin_id, total, Number(isSimilar)],
  });
  return {
    ...cappedTotal(total),
    next_cursor,
    pluginIds: rows.map((row) => row.plugin_id),
    ...(similar && rows.length > 0 && { corrected: similar.keyword }),
  };
}

/** What a cursor is bound to; nothing without the filter, so that cursors of other lists stay as they are. */
function chosen(name: FilterName, query: ListQuery): string[] {
  const value = query[name];
  return value === undefined ? [] : [`${name}=${value}`];
}

async function readFound(
  { db, known }: Pick<Searching, 'db' | 'known'>,
  sought: Search,
  listed: number,
): Promise<Found> {
  const { query, tagId, after } = sought;
  const before = known.of(query);
  const expected = before ? { ...before.expected, listed } : await expectWords(db, query, { tagId, listed });
  const found = await findMatches(db, { ...sought, total: after?.[3] ?? before?.total }, expected);
  // The total in a cursor comes from the client, so it must not be cached for others.
  if (!before && !after) known.learn(query, { expected, total: found.total });
  return found;
}

/** Milliseconds for which the statistics of a keyword are cached. */
const CACHE_TTL = 60_000;
const CACHE_MAX = 5000;
/** Smaller totals are not cached: users would notice a difference, and counting is fast. */
const CACHED_TOTAL_MIN = 1000;

/** Expected matches of a keyword per column, and its total if it is large. */
type Known = { expected: Omit<Expected, 'listed'>; total: number | undefined };

/** Statistics of the keywords of recent searches. */
export type KnownWords = {
  of(query: KeywordQuery): Known | undefined;
  learn(query: KeywordQuery, known: { expected: Expected; total: number }): void;
};

/** @param options `perf`: the clock; the process's own by default */
export function createKnownWords({ perf = performance }: { perf?: Perf | undefined } = {}): KnownWords {
  const cache = new LRUCache<string, Known>({ max: CACHE_MAX, ttl: CACHE_TTL, ttlResolution: 0, perf });
  const keyOf = ({ words, prefix }: KeywordQuery): string => `${words} | ${prefix}`;
  return {
    of: (query) => cache.get(keyOf(query)),
    learn(query, { expected: { listed: _, ...expected }, total }) {
      cache.set(keyOf(query), {
        expected,
        total: total < CACHED_TOTAL_MIN ? undefined : total,
      });
    },
  };
}

/**
 * The plugins of a publisher that were updated last.
 * @throws PUBLISHER_NOT_FOUND for one without any
 */
export async function readPublisherNews(
  db: Db,
  publisherId: number,
  reader: Reader,
): Promise<{ publisher: PublicUser; plugin_list: PluginCard[] }> {
  const ids = await readPublisherIds(db, publisherId, PUBLISHER_NEWS);
  const publisher = ids.length > 0 ? await readPublisherUser(db, publisherId) : undefined;
  if (!publisher) throw appError('PUBLISHER_NOT_FOUND');
  return { publisher, plugin_list: await cardsOf(db, ids, reader) };
}

/** Plugins per page of the recommended list. */
const RECOMMENDED_PAGE = 8;

/** Reads a page of the recommended plugins. Pages wrap around, so that "refresh" always shows something. */
export async function listRecommended(
  db: Db,
  page: number,
  reader: Reader,
): Promise<{ plugin_list: PluginCard[]; page_count: number }> {
  const ids = await readRecommendedIds(db);
  const pageCount = Math.ceil(ids.length / RECOMMENDED_PAGE);
  const start = pageCount === 0 ? 0 : (page % pageCount) * RECOMMENDED_PAGE;
  const shown = ids.slice(start, start + RECOMMENDED_PAGE);
  return { plugin_list: await cardsOf(db, shown, reader), page_count: pageCount };
}
