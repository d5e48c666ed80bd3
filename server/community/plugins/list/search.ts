import { LRUCache, type Perf } from 'lru-cache';
import { cappedTotal } from '../../../../shared/capped-total.ts';
import type { PluginPage } from '../../../../shared/entities/plugin.ts';
import type { QueryOf } from '../../../../shared/route.ts';
import type { pluginRoutes } from '../../../../shared/routes/plugin.ts';
import { appError } from '../../../http/errors.ts';
import type { Db } from '../../schema.ts';
import { type KeywordQuery, queryOfKeyword } from '../../search/query.ts';
import type { Expected, Match, Search } from '../../search/ranked-store.ts';
import { queryOfSimilar } from '../../search/similar.ts';
import { expectWords, findMatches, readListed } from '../../search/store.ts';
import { decodeCursor, encodeCursor, SearchPlace } from './cursor.ts';

export type ListQuery = QueryOf<(typeof pluginRoutes)['listPlugins']>;
/** A page by its ids. */
export type Page = Omit<PluginPage, 'plugin_list'> & { pluginIds: number[] };

/** Where is searched, and what is known of keywords from searches before. */
export type Searched = { db: Db; known: KnownWords };

type Found = { rows: Match[]; total: number };
const NOTHING: Found = { rows: [], total: 0 };

/**
 * A page of the plugins that match a keyword, or, when no plugin does, words like those.
 * @param keyword folded, not empty
 * @throws TAG_NOT_FOUND, BAD_CURSOR
 */
export async function search(searched: Searched, query: ListQuery, keyword: string): Promise<Page> {
  const { db } = searched;
  const { tag_id: tagId, cursor, limit } = query;
  const list = ['search', tagId, query.sort, keyword];
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, SearchPlace);
  const listed = await readListed(db, tagId);
  if (listed === undefined) throw appError('TAG_NOT_FOUND');
  const find = (words: KeywordQuery | undefined) =>
    words ? readFound(searched, { tagId, query: words, after, limit: limit + 1 }, listed) : NOTHING;
  const found = after?.[4] === 1 ? NOTHING : await find(queryOfKeyword(keyword, tagId));
  const isSimilar = found.rows.length === 0 && after?.[4] !== 0;
  const { rows: all, total } = isSimilar ? await find(await queryOfSimilar(db, keyword, tagId)) : found;
  const rows = all.slice(0, limit);
  const last = all.length > limit ? rows.at(-1) : undefined;
  const place = last && [last.match_rank, last.sort_key, last.plugin_id, total, Number(isSimilar)];
  return {
    ...cappedTotal(total),
    next_cursor: place ? encodeCursor(place, list) : null,
    pluginIds: rows.map((row) => row.plugin_id),
  };
}

async function readFound({ db, known }: Searched, sought: Search, listed: number): Promise<Found> {
  const { query, tagId, after } = sought;
  const before = known.of(query);
  const expected = before ? { ...before.expected, listed } : await expectWords(db, query, { tagId, listed });
  const found = await findMatches(db, { ...sought, total: after?.[3] ?? before?.total }, expected);
  // What a cursor says of the total comes from the client, and is nobody else's.
  if (!before && !after) known.learn(query, { expected, total: found.total });
  return found;
}

/** Milliseconds for which what has been found out about a keyword serves. */
const SERVES = 60_000;
const REMEMBERED = 5000;
/** Of fewer matches people notice one more or less, and counting them is quick. */
const KEPT_FROM = 1000;

/** How often a keyword is expected in each column, and how often it was counted where that is often. */
export type Known = { expected: Omit<Expected, 'listed'>; total: number | undefined };

/** What searches of the last minute have found out about their keywords. */
export type KnownWords = {
  of(query: KeywordQuery): Known | undefined;
  learn(query: KeywordQuery, known: { expected: Expected; total: number }): void;
};

/** In this process's memory; the keywords searched least recently are forgotten first. `perf`: the clock, if not the process's. */
export function createKnownWords({ perf = performance }: { perf?: Perf | undefined } = {}): KnownWords {
  const cache = new LRUCache<string, Known>({ max: REMEMBERED, ttl: SERVES, ttlResolution: 0, perf });
  const keyOf = ({ words, prefix }: KeywordQuery): string => `${words} | ${prefix}`;
  return {
    of: (query) => cache.get(keyOf(query)),
    learn(query, { expected: { name, headline, full }, total }) {
      cache.set(keyOf(query), {
        expected: { name, headline, full },
        total: total < KEPT_FROM ? undefined : total,
      });
    },
  };
}
