import { type RawBuilder, sql } from 'kysely';
import { TOTAL_EXACT_UP_TO } from '../../../shared/constants.ts';
import type { Db } from '../schema.ts';
import { isSingleWord } from '../search/query.ts';
import { expectMatches, SURELY_MANY } from '../search/store.ts';

type Sql = RawBuilder<unknown>;

/** A list in one order: rows that come from index ranges, and the words they can be found by. */
export type Ordered = {
  /** Table with the alias `l`. */
  from: Sql;
  /** Column of the row's id. */
  id: Sql;
  /** What rows are sorted by, then by id the same way; times as milliseconds since 1970 on the outside. */
  key: Sql;
  keyKind: 'time' | 'number';
  direction: 'asc' | 'desc';
  /** Conditions; each is one range of one index in this order, and together they are the list. */
  ranges: readonly Sql[];
  /** Table, id and column of the words. */
  search: { table: Sql; id: Sql; words: Sql };
};

/** Key and id of the last row of the page before. */
export type After = readonly [key: number, id: number];
/** A row of a list and the value it is sorted by. */
export type Row = { id: number; sort_key: number };
type Page = { after: After | undefined; limit: number };

const FEW = 5000;

/** A page of the whole list: short ranges of an index, whatever the length of the list and the depth of the page. */
export async function readPage(db: Db, list: Ordered, page: Page): Promise<Row[]> {
  return readRanges(db, list, page, sql``);
}

/**
 * A page of what a query finds, and how many rows that are; counting stops one above what is told exactly.
 * @param page.length of the list where nothing narrows it
 * @param few up to so many matches are found by their words; more are met soon enough in the order of the list
 */
export async function readFound(
  db: Db,
  list: Ordered,
  query: string,
  page: Page & { total: number | undefined; length: () => Promise<number> },
  few = FEW,
): Promise<{ rows: Row[]; total: number }> {
  const { table, id, words } = list.search;
  const { matches, all } = await expectMatches(db, table, [{ words, query }]);
  const likely = isSingleWord(query) ? (matches[0] ?? 0) : 0;
  const rare = likely > SURELY_MANY ? undefined : await readRare(db, list, query, page, few);
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

/** From the words to the rows; undefined when there are more than a few. */
async function readRare(
  db: Db,
  list: Ordered,
  query: string,
  { after, limit }: Page,
  few: number,
): Promise<{ rows: Row[]; total: number } | undefined> {
  const { from, id, key, ranges, search, direction } = list;
  const way = sql.raw(direction);
  const { rows } = await sql<{ found: number; total: number } & (Row | { id: null; sort_key: null })>`
    with found as materialized (
      select w.${search.id} as id from ${search.table} w where w.${search.words} @@ ${query}::tsquery limit ${few + 1}
    ), counted as materialized (
      select count(*) as found from found
    ), listed as materialized (
      select ${id} as id, ${key} as key from counted, found join ${from} on ${id} = found.id
        where counted.found <= ${few} and (${sql.join(ranges, sql` or `)})
    )
    select counted.found, (select count(*) from listed) as total, page.id, ${outerKey(list)} as sort_key
      from counted left join lateral (
        select id, key from listed ${after ? sql`where ${placeOf(list, sql`key`, sql`id`, after)}` : sql``}
          order by key ${way}, id ${way} limit ${limit}
      ) page on true
      order by page.key ${way}, page.id ${way}`.execute(db);
  const [first] = rows;
  if (!first || first.found > few) return undefined;
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

/** A word is not counted where it must be frequent in the list even if all rows outside of the list have it. */
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
        where w.${search.words} @@ ${query}::tsquery and (${sql.join(ranges, sql` or `)})
        limit ${TOTAL_EXACT_UP_TO + 1}
    ) matching`.execute(db);
  return rows[0]?.count ?? 0;
}

function outerKey({ keyKind }: Ordered): Sql {
  return keyKind === 'time' ? sql`(extract(epoch from page.key) * 1000)::bigint` : sql`page.key`;
}

/**
 * A row comparison makes the place a start of the range, not a filter. Numbers are compared as bigint, whatever the
 * column is: a cursor may name one that an integer column cannot hold.
 */
function placeOf({ keyKind, direction }: Ordered, key: Sql, id: Sql, [at, rowId]: After): Sql {
  const value = keyKind === 'time' ? sql`${new Date(at)}` : sql`${at}::bigint`;
  return sql`(${key}, ${id}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${value}, ${rowId})`;
}
