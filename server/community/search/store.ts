import { type RawBuilder, sql } from 'kysely';
import { TOTAL_EXACT_UP_TO } from '../../../shared/constants.ts';
import type { SearchPlace } from '../plugins/list/cursor.ts';
import type { Db } from '../schema.ts';
import { expectMatches } from './estimate-store.ts';
import { isSingleWord, type KeywordQuery } from './query.ts';

/** A match: how well (1 exact name … 5 anywhere), and the popularity it is sorted by among its equals. */
export type Match = { plugin_id: number; match_rank: number; sort_key: number };

type Search = { tagId: number; query: KeywordQuery; after: SearchPlace | undefined; limit: number };
type Condition = RawBuilder<boolean>;
type Part = { rank: number; condition: Condition; tagId: number; place: RawBuilder<unknown>; limit: number };

/** Up to so many matches of a part are found by their words; more are met soon enough among the popular. */
const FEW = 5000;
/** Expected matches from which on nobody looks whether there are only a few, or counts up to what is told exactly. */
const MANY = 5 * TOTAL_EXACT_UP_TO;

/** Matches that are expected of the words in each column. */
type Expected = { name: number; headline: number; full: number };

/** How often a word is expected to occur; nothing is expected of several, for it is not known how often they meet. */
export async function expectWords(db: Db, { words: query }: KeywordQuery): Promise<Expected> {
  if (!isSingleWord(query)) return { name: 0, headline: 0, full: 0 };
  const table = sql`plugin_search`;
  const { matches } = await expectMatches(db, [
    { table, words: sql`name`, query },
    { table, words: sql`headline`, query },
    { table, words: sql`"full"`, query },
  ]);
  const [name = 0, headline = 0, full = 0] = matches;
  return { name, headline, full };
}

/** Conditions of the ranks, each excluding the better ones, so that no plugin comes twice, and matches to expect. */
function conditionsOf(
  { exact, prefix, words }: KeywordQuery,
  expected: Expected,
): [rank: number, condition: Condition, matches: number][] {
  const isExact: Condition = sql`s.name @@ ${exact}::tsquery`;
  const isPrefix: Condition = sql`s.name @@ ${prefix}::tsquery`;
  const inName: Condition = sql`s.name @@ ${words}::tsquery`;
  const inHeadline: Condition = sql`s.headline @@ ${words}::tsquery`;
  const inFull: Condition = sql`s."full" @@ ${words}::tsquery`;
  return [
    [1, isExact, 0],
    [2, sql`${isPrefix} and not (${isExact})`, 0],
    [3, sql`${inName} and not (${isPrefix})`, expected.name],
    [4, sql`${inHeadline} and not (${inName}) and not (${isPrefix})`, expected.headline - expected.name],
    [5, sql`${inFull} and not (${inHeadline}) and not (${isPrefix})`, expected.full - expected.headline],
  ];
}

/**
 * A page of matches: exact names, names that begin so, names, intros, everything else; the most popular first in
 * each. Parts are read one after the other until the page is full, which for most keywords is one or two of them.
 */
export async function searchListing(
  db: Db,
  { tagId, query, after, limit }: Search,
  expected: Expected,
): Promise<Match[]> {
  const matches: Match[] = [];
  for (const [rank, condition, likely] of conditionsOf(query, expected)) {
    if (after !== undefined && rank < after[0]) continue;
    if (matches.length >= limit) break;
    const place = after?.[0] === rank ? sql`and (popularity, plugin_id) < (${after[1]}, ${after[2]})` : sql``;
    const part = { rank, condition, tagId, place, limit: limit - matches.length };
    const rare = likely > MANY ? undefined : await readRare(db, part);
    matches.push(...(rare ?? (await readFrequent(db, part))));
  }
  return matches;
}

/** From the words to the plugins, by the GIN index; undefined when there are more than a few. */
async function readRare(
  db: Db,
  { rank, condition, tagId, place, limit }: Part,
): Promise<Match[] | undefined> {
  const { rows } = await sql<{ found: number } & (Match | { plugin_id: null })>`
    with found as materialized (
      select s.plugin_id from plugin_search s where ${condition} limit ${FEW + 1}
    ), counted as materialized (
      select count(*) as found from found
    )
    select counted.found, page.plugin_id, ${sql.lit(rank)} as match_rank, page.popularity as sort_key
      from counted left join lateral (
        select plugin_id, popularity from found join plugin_listing using (plugin_id)
          where tag_id = ${tagId} and counted.found <= ${FEW} ${place}
          order by popularity desc, plugin_id desc limit ${limit}
      ) page on true`.execute(db);
  if ((rows[0]?.found ?? 0) > FEW) return undefined;
  return rows.filter((row) => row.plugin_id !== null);
}

/**
 * From the popular plugins to those that match. The inner `offset 0` is a fence: the planner knows nothing of how
 * often a word's beginning occurs, and would else at times read all matches of a frequent word to sort them.
 */
async function readFrequent(db: Db, { rank, condition, tagId, place, limit }: Part): Promise<Match[]> {
  const { rows } = await sql<Match>`
    select l.plugin_id, ${sql.lit(rank)} as match_rank, l.popularity as sort_key
      from (
        select plugin_id, popularity from plugin_listing
          where tag_id = ${tagId} ${place} order by popularity desc, plugin_id desc
      ) l
      cross join lateral (
        select from plugin_search s where s.plugin_id = l.plugin_id and ${condition} offset 0
      ) matching
      order by l.popularity desc, l.plugin_id desc limit ${limit}`.execute(db);
  return rows;
}

/**
 * How many plugins match; counting stops one above the number that is told exactly. A word that is expected far
 * more often than that is not counted.
 */
export async function countMatches(
  db: Db,
  { tagId, query }: Pick<Search, 'tagId' | 'query'>,
  expected: Expected,
): Promise<number> {
  if (expected.full > MANY) return TOTAL_EXACT_UP_TO + 1;
  const { rows } = await sql<{ count: number }>`
    with found as materialized (
      select plugin_id from plugin_search where "full" @@ ${query.words}::tsquery
        limit ${TOTAL_EXACT_UP_TO + 1}
    )
    select count(*) from found join plugin_listing using (plugin_id) where tag_id = ${tagId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Whether a tag exists, for searches whose rows cannot tell. */
export async function isListed(db: Db, tagId: number): Promise<boolean> {
  const { rows } = await sql`select from listing_total where tag_id = ${tagId}`.execute(db);
  return rows.length > 0;
}
