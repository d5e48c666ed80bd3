import { type Static, Type } from 'typebox';
import { ALL_TAG_ID, BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import { cappedTotal } from '../../../../shared/paging.ts';
import { appError } from '../../../http/errors.ts';
import { decodeCursor, encodeCursor, PlaceCount, PlaceMoment, PlaceNumber } from '../../pages.ts';
import type { Db } from '../../schema.ts';
import { foldName } from '../search/lexemes.ts';
import { type Filters, queryOfFilters } from '../search/query.ts';
import { readListed } from '../search/store.ts';
import { type Ordered, readFound, readPage } from './store.ts';

/** Sort key, id, and the total counted for the first page. */
const PLACES = {
  time: Type.Tuple([PlaceMoment, PlaceCount, PlaceCount]),
  number: Type.Tuple([PlaceNumber, PlaceCount, PlaceCount]),
};
type Place = Static<(typeof PLACES)[keyof typeof PLACES]>;

export type PageQuery = Filters & { cursor?: string; limit?: number };

export type IdPage = { ids: number[]; total: number; total_estimated: boolean; next_cursor: string | null };

/**
 * Reads a page of a backstage list, filtered by tag, publisher and words.
 * @param list.name the cursor is valid for this name and these filters only
 * @param list.total reads the length of the unfiltered list
 * @throws TAG_NOT_FOUND, BAD_CURSOR
 */
export async function readIdPage(
  db: Db,
  list: { name: readonly (string | number)[]; order: Ordered; total: () => Promise<number> },
  query: PageQuery,
): Promise<IdPage> {
  const { cursor, limit = BACKSTAGE_PAGE_SIZE, tag_id: tagId = ALL_TAG_ID } = query;
  const words = [query.keyword ?? '', query.publisher ?? ''].map(foldName);
  const bound = [...list.name, tagId, ...words];
  const place = cursor === undefined ? undefined : decodeCursor(cursor, bound, PLACES[list.order.keyKind]);
  if (tagId !== ALL_TAG_ID && (await readListed(db, tagId)) === undefined) throw appError('TAG_NOT_FOUND');
  const filter = queryOfFilters(query);
  if (filter === 'nothing') return { ids: [], ...cappedTotal(0), next_cursor: null };
  const { rows, total } = await readRows(db, list, filter, place, limit + 1);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    ids: shown.map((row) => row.id),
    ...(filter === undefined ? { total, total_estimated: false } : cappedTotal(total)),
    next_cursor: last ? encodeCursor([last.sort_key, last.id, total], bound) : null,
  };
}

async function readRows(
  db: Db,
  list: { order: Ordered; total: () => Promise<number> },
  filter: string | undefined,
  place: Place | undefined,
  limit: number,
) {
  const after = place && ([place[0], place[1]] as const);
  if (filter !== undefined) {
    return readFound(db, list.order, filter, { after, limit, total: place?.[2], length: list.total });
  }
  const [rows, total] = await Promise.all([readPage(db, list.order, { after, limit }), list.total()]);
  return { rows, total };
}
