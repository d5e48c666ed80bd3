import { type RawBuilder, sql } from 'kysely';
import { PREPARED } from '../../database/query.ts';
import type { SearchPlace } from '../pages.ts';
import type { Db } from '../schema.ts';
import type { KeywordQuery } from './query.ts';

/** A match: how well (1 exact name … 5 anywhere), and the popularity it is sorted by among its equals. */
export type Match = { plugin_id: number; match_rank: number; sort_key: number };

export type Search = { tagId: number; query: KeywordQuery; after: SearchPlace | undefined; limit: number };

/** Matches that are expected of the words in each column, 0 where nothing can be said, and plugins of the list. */
export type Expected = { name: number; headline: number; full: number; listed: number };

type Condition = RawBuilder<boolean>;
type Part = { rank: number; condition: Condition; tagId: number; place: RawBuilder<unknown>; limit: number };

/**
 * Up to so many matches of a part are found by their words, where nothing is expected; more are met among the popular.
 * So many cost about as much as the walk that then meets a page of them.
 */
const few = (limit: number, listed: number): number => Math.ceil(Math.sqrt(limit * listed));
/** Of the names that have a letter in front of a word, this share is expected to begin with it. */
const BEGINS_WITH_LETTER = 1 / 3;
/** A share of names that no word has, but letters have. */
const LETTER = 0.15;
/** Where a page should be full after so many of the popular, by what is expected, this many times as many are tried. */
const READ_FACTOR = 5;

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
  const isLetter = expected.name > LETTER * expected.listed;
  return [
    [1, isExact, 0],
    [2, sql`${isPrefix} and not (${isExact})`, isLetter ? expected.name * BEGINS_WITH_LETTER : 0],
    [3, sql`${inName} and not (${isPrefix})`, expected.name],
    [4, sql`${inHeadline} and not (${inName}) and not (${isPrefix})`, expected.headline - expected.name],
    [5, sql`${inFull} and not (${inHeadline}) and not (${isPrefix})`, expected.full - expected.headline],
  ];
}

/** A page of matches. Ranks are read one after the other until it is full, which for most keywords takes the first three. */
export async function readRanked(
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
    matches.push(...(await readPart(db, part, Math.max(0, likely) / expected.listed, expected.listed)));
  }
  return matches;
}

/**
 * Goes through the popular where that meets a page sooner than there are matches to read, also where it may take twice as
 * long: too many matches to read are read in vain. What is expected may be wrong: then a part is looked at by its words,
 * and at last however far it is.
 * @param share of the list's plugins that are expected to match
 */
async function readPart(db: Db, part: Part, share: number, listed: number): Promise<Match[]> {
  const reach = part.limit / share;
  if (reach < 2 * share * listed) {
    const page = await readFrequent(db, part, Math.ceil(READ_FACTOR * reach));
    if (page.length >= part.limit) return page;
  }
  return (await readRare(db, part, few(part.limit, listed))) ?? (await readFrequent(db, part));
}

/**
 * From the words to the plugins, by the GIN index; undefined when there are more than so many. Each match looks its
 * popularity up by key (the inner `offset 0` is a fence): the planner, who expects as many as the limit allows, would
 * read the whole list instead.
 */
async function readRare(
  db: Db,
  { rank, condition, tagId, place, limit }: Part,
  most: number,
): Promise<Match[] | undefined> {
  const { rows } = await sql<{ found: number } & (Match | { plugin_id: null })>`${sql.raw(PREPARED)}
    with found as materialized (
      select s.plugin_id from plugin_search s where s.is_listed and ${condition} limit ${most + 1}
    ), counted as materialized (
      select count(*) as found from found
    )
    select counted.found, page.plugin_id, ${sql.lit(rank)} as match_rank, page.popularity as sort_key
      from counted left join lateral (
        select found.plugin_id, l.popularity from found, lateral (
          select popularity from plugin_listing
            where plugin_id = found.plugin_id and tag_id = ${tagId} ${place} offset 0
        ) l
          where counted.found <= ${most}
          order by l.popularity desc, found.plugin_id desc limit ${limit}
      ) page on true`.execute(db);
  if ((rows[0]?.found ?? 0) > most) return undefined;
  return rows.filter((row) => row.plugin_id !== null);
}

/**
 * From the popular plugins to those that match. The inner `offset 0` is a fence: the planner knows nothing of how
 * often a word's beginning occurs, and would else at times read all matches of a frequent word to sort them.
 * @param reach of how many of the popular
 */
async function readFrequent(
  db: Db,
  { rank, condition, tagId, place, limit }: Part,
  reach?: number,
): Promise<Match[]> {
  const { rows } = await sql<Match>`${sql.raw(PREPARED)}
    select l.plugin_id, ${sql.lit(rank)} as match_rank, l.popularity as sort_key
      from (
        select plugin_id, popularity from plugin_listing
          where tag_id = ${tagId} ${place} order by popularity desc, plugin_id desc
          ${reach === undefined ? sql`` : sql`limit ${reach}`}
      ) l
      cross join lateral (
        select from plugin_search s where s.plugin_id = l.plugin_id and ${condition} offset 0
      ) matching
      order by l.popularity desc, l.plugin_id desc limit ${limit}`.execute(db);
  return rows;
}
