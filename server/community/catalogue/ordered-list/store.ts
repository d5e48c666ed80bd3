import { type RawBuilder, sql } from 'kysely';
import { TOTAL_EXACT_UP_TO } from '../../../../shared/constants.ts';
import type { Db } from '../../schema.ts';
import { isSingleWord } from '../search/query.ts';
import { expectMatches, SURELY_MANY } from '../search/store.ts';

type Sql = RawBuilder<unknown>;

/** A list in one order: index ranges of its rows, and the search index of its words. */
export type Ordered = {
  /** Table with the alias `l`. */
  from: Sql;
  id: Sql;
  /** Sort column, then id in the same direction; times are milliseconds since 1970 outside of SQL. */
  key: Sql;
  keyKind: 'time' | 'number';
  direction: 'asc' | 'desc';
  /** Conditions, each one range of an index in this order; together they are the list. */
  ranges: readonly Sql[];
  search: WordIndex;
};

/** Where words are found, with the alias `w`. */
type WordIndex = {
  table: Sql;
  id: Sql;
  words: Sql;
  /** A condition that all rows of the list meet, if it has an index of the words. */
  within?: Sql;
};

/** Sort key and id of the last row of the previous page. */
export type After = readonly [key: number, id: number];
export type Row = { id: number; sort_key: number };
type Page = { after: After | undefined; limit: number };

const RARE_MAX = 5000;

/** Reads a page of the whole list from short index ranges, independent of the length of the list and the depth of the page. */
export async function readPage(db: Db, list: Ordered, page: Page): Promise<Row[]> {
  return readRanges(db, list, page, sql``);
}

/**
 * Reads a page of the matches of a query and their number, up to one more than the largest exact total.
 * @param page.length reads the length of the unfiltered list
 * @param rareMax up to this number, matches are read from the search index; more are found fast enough in list order
 */
export async function readFound(
  db: Db,
  list: Ordered,
  query: string,
  page: Page & { total: number | undefined; length: () => Promise<number> },
  rareMax = RARE_MAX,
): Promise<{ rows: Row[]; total: number }> {
  const { table, id, words } = list.search;
  const { matches, all } = await expectMatches(db, table, [{ words, query }]);
  const likely = isSingleWord(query) ? (matches[0] ?? 0) : 0;
  const rare = likely > SURELY_MANY ? undefined : await readRare(db, list, query, page, rareMax);
  if (rare) return rare;
  const isMatch = sql`cross join lateral (
    select from ${table} w where w.${id} = r.id and w.${words} @@ ${query}::tsquery offset 0
  ) matching`;
  const [rows, total] = await Promise.all([
    readRanges(db, list, page, isMatch),
    page.total ?? countFrequent(db, list, query, { likely, others: all - (await page.length()) }),
  ]);
  return { rows, total };
}

/** Reads matches from the search index; undefined if there are too many. */
async function readRare(
  db: Db,
  list: Ordered,
  query: string,
  { after, limit }: Page,
  rareMax: number,
): Promise<{ rows: Row[]; total: number } | undefined> {
  const { from, id, key, ranges, search, direction } = list;
  const way = sql.raw(direction);
  const { rows } = await sql<{ found: number; total: number } & (Row | { id: null; sort_key: null })>`
    with found as materialized (
      select w.${search.id} as id from ${search.table} w where ${hasWords(search, query)} limit ${rareMax + 1}
    ), counted as materialized (
      select count(*) as found from found
    ), listed as materialized (
      select ${id} as id, ${key} as key from counted, found join ${from} on ${id} = found.id
        where counted.found <= ${rareMax} and (${sql.join(ranges, sql` or `)})
    )
    select counted.found, (select count(*) from listed) as total, page.id, ${outerKey(list)} as sort_key
      from counted left join lateral (
        select id, key from listed ${after ? sql`where ${placeOf(list, sql`key`, sql`id`, after)}` : sql``}
          order by key ${way}, id ${way} limit ${limit}
      ) page on true
      order by page.key ${way}, page.id ${way}`.execute(db);
  const [first] = rows;
  if (!first || first.found > rareMax) return undefined;
  return { total: first.total, rows: rows.filter((row) => row.id !== null) };
}

async function readRanges(db: Db, list: Ordered, { after, limit }: Page, isMatch: Sql): Promise<Row[]> {
  const { from, id, key, ranges, direction } = list;
  const way = sql.raw(direction);
  const parts = ranges.map(
    (range) => sql`(
      select r.id, r.key from (
        select ${id} as id, ${key} as key from ${from}
          where ${range} ${after ? sql`and ${placeOf(list, key, id, after)}` : sql``}
          order by ${key} ${way}, ${id} ${way}
      ) r ${isMatch} order by r.key ${way}, r.id ${way} limit ${limit}
    )`,
  );
  const { rows } = await sql<Row>`
    select page.id, ${outerKey(list)} as sort_key from (${sql.join(parts, sql` union all `)}) page
      order by page.key ${way}, page.id ${way} limit ${limit}`.execute(db);
  return rows;
}

function hasWords({ words, within }: WordIndex, query: string): Sql {
  const found = sql`w.${words} @@ ${query}::tsquery`;
  return within ? sql`${found} and ${within}` : found;
}

/** Skips counting if the word must be frequent in the list, even if all rows outside of the list match. */
async function countFrequent(
  db: Db,
  list: Ordered,
  query: string,
  { likely, others }: { likely: number; others: number },
): Promise<number> {
  if (likely - others > SURELY_MANY) return TOTAL_EXACT_UP_TO + 1;
  const { from, id, ranges, search } = list;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from ${from} join ${search.table} w on w.${search.id} = ${id}
        where ${hasWords(search, query)} and (${sql.join(ranges, sql` or `)})
        limit ${TOTAL_EXACT_UP_TO + 1}
    ) matching`.execute(db);
  return rows[0]?.count ?? 0;
}

function outerKey({ keyKind }: Ordered): Sql {
  return keyKind === 'time' ? sql`(extract(epoch from page.key) * 1000)::bigint` : sql`page.key`;
}

/**
 * With a row comparison the index range starts at the cursor. Numbers are compared as bigint, since a cursor may have a
 * value that an integer column cannot hold.
 */
function placeOf({ keyKind, direction }: Ordered, key: Sql, id: Sql, [at, rowId]: After): Sql {
  const value = keyKind === 'time' ? sql`${new Date(at)}` : sql`${at}::bigint`;
  return sql`(${key}, ${id}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${value}, ${rowId})`;
}
