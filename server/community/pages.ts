import { createHash, timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import { TOTAL_EXACT_UP_TO } from '../../shared/constants.ts';
import { appError } from '../http/errors.ts';
import type { Db } from './schema.ts';

const CHECKSUM_BYTES = 9;
/** Limits of cursor values: anyone can write a cursor, and larger values would fail in the database. */
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
const searchPlace = <Key extends TSchema>(key: Key) =>
  Type.Tuple([
    Type.Integer({ minimum: 1, maximum: 5 }),
    key,
    PlaceCount,
    PlaceCount,
    Type.Integer({ minimum: 0, maximum: 1 }),
  ]);
/**
 * A search: rank of the match (1 where relevance does not count), popularity, id, the total counted for the first page, 1 for
 * similar words.
 */
export const SearchPlace = searchPlace(PlaceNumber);
/** A search ordered by time: milliseconds since 1970 instead of the popularity. */
export const LatestSearchPlace = searchPlace(PlaceMoment);
export type ListPlace = Static<typeof LatestPlace>;
export type SearchPlace = Static<typeof SearchPlace>;

/**
 * Encodes the position of a page's last row as an opaque text.
 * @param list everything that determines the rows and their order; the cursor is valid for this list only
 */
export function encodeCursor(place: readonly number[], list: readonly (string | number)[]): string {
  const content = Buffer.from(JSON.stringify(place));
  return Buffer.concat([checksumOf(content, list), content]).toString('base64url');
}

/**
 * Cuts rows, read with one more than the limit, to a page and its next cursor; null after the last page.
 * @param of.list the list that the cursor is valid for
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
 * Decodes a cursor of the same list.
 * @throws BAD_CURSOR for an altered cursor or one of another list
 */
export function decodeCursor<S extends TSchema>(
  cursor: string,
  list: readonly (string | number)[],
  schema: S,
): Static<S> {
  const bytes = Buffer.from(cursor, 'base64url');
  const content = bytes.subarray(CHECKSUM_BYTES);
  const sum = bytes.subarray(0, CHECKSUM_BYTES);
  if (bytes.toString('base64url') !== cursor || sum.length !== CHECKSUM_BYTES) throw appError('BAD_CURSOR');
  if (!timingSafeEqual(sum, checksumOf(content, list))) throw appError('BAD_CURSOR');
  const place = parsePlace(content.toString());
  if (!Check(schema, place)) throw appError('BAD_CURSOR');
  return place;
}

function parsePlace(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw appError('BAD_CURSOR', { cause });
  }
}

/** A checksum against mistakes, not a signature: positions are not secret, and every value is validated and bound. */
function checksumOf(content: Buffer, list: readonly (string | number)[]): Buffer {
  const hash = createHash('sha256').update(JSON.stringify(list)).update(content).digest();
  return hash.subarray(0, CHECKSUM_BYTES);
}

/** Counts the rows of a list, up to one more than the largest exact total. */
export async function boundedCount(db: Db, fromWhere: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select ${fromWhere} limit ${TOTAL_EXACT_UP_TO + 1}) counted`.execute(db);
  return rows[0]?.count ?? 0;
}
