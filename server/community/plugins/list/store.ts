import { type RawBuilder, sql } from 'kysely';
import { SORT_LATEST, SORT_POPULAR } from '../../../../shared/constants.ts';
import type { Db } from '../../schema.ts';
import type { ListPlace } from './cursor.ts';

export type Sort = typeof SORT_LATEST | typeof SORT_POPULAR;

/** A row of a list: the plugin and the value it is sorted by (milliseconds since 1970, or popularity). */
export type Listed = { plugin_id: number; sort_key: number };

type Range = { tagId: number; sort: Sort; after: ListPlace | undefined; limit: number };

/** One short range of one index each; the row comparison makes the place a start of the range, not a filter. */
const PAGES: Readonly<Record<Sort, (range: Range) => RawBuilder<unknown>>> = {
  [SORT_LATEST]: ({ tagId, after, limit }) => sql`
    select plugin_id, (extract(epoch from updated_at) * 1000)::bigint as sort_key
      from plugin_listing
      where tag_id = ${tagId} ${after ? sql`and (updated_at, plugin_id) < (${new Date(after[0])}, ${after[1]})` : sql``}
      order by updated_at desc, plugin_id desc limit ${limit}`,
  [SORT_POPULAR]: ({ tagId, after, limit }) => sql`
    select plugin_id, popularity as sort_key
      from plugin_listing
      where tag_id = ${tagId} ${after ? sql`and (popularity, plugin_id) < (${after[0]}, ${after[1]})` : sql``}
      order by popularity desc, plugin_id desc limit ${limit}`,
};

/**
 * A page of a tag's list and the list's length, or undefined for a tag that does not exist. Tag 0 is "all".
 * The cost does not depend on the size of the catalogue, nor on the depth of the page.
 */
export async function readListing(
  db: Db,
  range: Range,
): Promise<{ total: number; rows: Listed[] } | undefined> {
  const { rows } = await sql<{ total: number } & (Listed | { plugin_id: null; sort_key: null })>`
    select t.total, page.plugin_id, page.sort_key
      from listing_total t
      left join lateral (${PAGES[range.sort](range)}) page on true
      where t.tag_id = ${range.tagId}`.execute(db);
  const [first] = rows;
  return first && { total: first.total, rows: rows.filter((row) => row.plugin_id !== null) };
}
