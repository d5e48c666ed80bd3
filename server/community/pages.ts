import { createHash, timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import { TOTAL_EXACT_UP_TO } from '../../shared/constants.ts';
import { appError } from '../http/errors.ts';
import type { Db } from './schema.ts';

const SUM_BYTES = 9;
/** What a place may hold: anybody can write a cursor, and what no column holds would fail in the database. */
export const PlaceMoment = Type.Integer({ minimum: 0, maximum: 8.64e15 });
export const PlaceNumber = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
});
export const PlaceCount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** A list ordered by time: milliseconds since 1970, id. */
export const LatestPlace = Type.Tuple([PlaceMoment, PlaceCount]);
/** A list ordered by popularity: popularity, id. */
export const PopularPlace = Type.Tuple([PlaceNumber, PlaceCount]);
/** A list ordered by id. */
export const IdPlace = Type.Tuple([PlaceCount]);
/** A search: rank of the match, sort key, id, the total counted for the first page, 1 for similar words. */
export const SearchPlace = Type.Tuple([
  Type.Integer({ minimum: 1, maximum: 5 }),
  PlaceNumber,
  PlaceCount,
  PlaceCount,
  Type.Integer({ minimum: 0, maximum: 1 }),
]);
export type ListPlace = Static<typeof LatestPlace>;
export type SearchPlace = Static<typeof SearchPlace>;

/**
 * Writes the place of a page's last row down as an opaque text.
 * @param list what the cursor is bound to: everything that decides which rows come in which order
 */
export function encodeCursor(place: readonly number[], list: readonly (string | number)[]): string {
  const content = Buffer.from(JSON.stringify(place));
  return Buffer.concat([sumOf(content, list), content]).toString('base64url');
}

/**
 * A page of rows, read with one more than its limit, and the cursor of the next page; null behind the last.
 * @param of.list what the cursor is bound to
 */
export function cutPage<Row>(
  found: readonly Row[],
  limit: number,
  of: { list: readonly (string | number)[]; placeOf: (last: Row) => readonly number[] },
): { rows: Row[]; next_cursor: string | null } {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, next_cursor: last ? encodeCursor(of.placeOf(last), of.list) : null };
}

/**
 * Reads a cursor that {@link encodeCursor} wrote for the same list.
 * @throws BAD_CURSOR for a text that is altered, foreign or of another list.
 */
export function decodeCursor<S extends TSchema>(
  cursor: string,
  list: readonly (string | number)[],
  schema: S,
): Static<S> {
  const bytes = Buffer.from(cursor, 'base64url');
  const content = bytes.subarray(SUM_BYTES);
  const sum = bytes.subarray(0, SUM_BYTES);
  if (bytes.toString('base64url') !== cursor || sum.length !== SUM_BYTES) throw appError('BAD_CURSOR');
  if (!timingSafeEqual(sum, sumOf(content, list))) throw appError('BAD_CURSOR');
  const place = parsed(content.toString());
  if (!Check(schema, place)) throw appError('BAD_CURSOR');
  return place;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw appError('BAD_CURSOR', { cause });
  }
}

/** Guards against mistakes, not against forgers: a place is no secret, and every value is checked and bound. */
function sumOf(content: Buffer, list: readonly (string | number)[]): Buffer {
  const hash = createHash('sha256').update(JSON.stringify(list)).update(content).digest();
  return hash.subarray(0, SUM_BYTES);
}

/** How many rows a list has; counting stops one above the number that is told exactly. */
export async function boundedCount(db: Db, fromWhere: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select ${fromWhere} limit ${TOTAL_EXACT_UP_TO + 1}) counted`.execute(db);
  return rows[0]?.count ?? 0;
}
