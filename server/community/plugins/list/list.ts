import { SORT_LATEST } from '../../../../shared/constants.ts';
import type { PluginPage } from '../../../../shared/entities/plugin.ts';
import { appError } from '../../../http/errors.ts';
import type { Db } from '../../schema.ts';
import { foldKeyword } from '../../search/query.ts';
import { cardsOf, type Reader } from '../cards/cards.ts';
import { decodeCursor, encodeCursor, LatestPlace, PopularPlace } from './cursor.ts';
import { type ListQuery, type Page, type Searched, search } from './search.ts';
import { readListing } from './store.ts';

/**
 * A page of published plugins.
 * @throws TAG_NOT_FOUND, BAD_CURSOR
 */
export async function listPlugins(searched: Searched, query: ListQuery, reader: Reader): Promise<PluginPage> {
  const { db } = searched;
  const keyword = foldKeyword(query.keyword);
  const page = keyword === '' ? await browse(db, query) : await search(searched, query, keyword);
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
