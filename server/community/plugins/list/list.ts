import { SORT_LATEST, TOTAL_EXACT_UP_TO } from '../../../../shared/constants.ts';
import type { PluginPage } from '../../../../shared/entities/plugin.ts';
import type { QueryOf } from '../../../../shared/route.ts';
import type { pluginRoutes } from '../../../../shared/routes/plugin.ts';
import { appError } from '../../../http/errors.ts';
import type { Db } from '../../schema.ts';
import { foldKeyword, queryOfKeyword } from '../../search/query.ts';
import { countMatches, isListed, searchListing } from '../../search/store.ts';
import { cardsOf, type Reader } from '../cards/cards.ts';
import { decodeCursor, encodeCursor, LatestPlace, PopularPlace, SearchPlace } from './cursor.ts';
import { readListing } from './store.ts';

type ListQuery = QueryOf<(typeof pluginRoutes)['listPlugins']>;
type Page = Omit<PluginPage, 'plugin_list'> & { pluginIds: number[] };

/**
 * A page of published plugins.
 * @throws TAG_NOT_FOUND, BAD_CURSOR
 */
export async function listPlugins(db: Db, query: ListQuery, reader: Reader): Promise<PluginPage> {
  const keyword = foldKeyword(query.keyword);
  const page = keyword === '' ? await browse(db, query) : await search(db, query, keyword);
  const { pluginIds, ...rest } = page;
  return { ...rest, plugin_list: await cardsOf(db, pluginIds, reader) };
}

async function browse(db: Db, { tag_id: tagId, sort, cursor, limit }: ListQuery): Promise<Page> {
  const list = ['browse', tagId, sort];
  const place = sort === SORT_LATEST ? LatestPlace : PopularPlace;
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, place);
  const found = await readListing(db, { tagId, sort, after, limit: limit + 1 });
  if (!found) throw appError('TAG_NOT_FOUND');
  const rows = found.rows.slice(0, limit);
  const last = found.rows.length > limit ? rows.at(-1) : undefined;
  return {
    total: found.total,
    total_estimated: false,
    next_cursor: last ? encodeCursor([last.sort_key, last.plugin_id], list) : null,
    pluginIds: rows.map((row) => row.plugin_id),
  };
}

async function search(db: Db, query: ListQuery, keyword: string): Promise<Page> {
  const { tag_id: tagId, cursor, limit } = query;
  const list = ['search', tagId, query.sort, keyword];
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, SearchPlace);
  if (!(await isListed(db, tagId))) throw appError('TAG_NOT_FOUND');
  const keywordQuery = queryOfKeyword(keyword, tagId);
  if (!keywordQuery) return { total: 0, total_estimated: false, next_cursor: null, pluginIds: [] };
  const [found, total] = await Promise.all([
    searchListing(db, { tagId, query: keywordQuery, after, limit: limit + 1 }),
    after?.[3] ?? countMatches(db, { tagId, query: keywordQuery }),
  ]);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    total: Math.min(total, TOTAL_EXACT_UP_TO),
    total_estimated: total > TOTAL_EXACT_UP_TO,
    next_cursor: last ? encodeCursor([last.match_rank, last.sort_key, last.plugin_id, total], list) : null,
    pluginIds: rows.map((row) => row.plugin_id),
  };
}
