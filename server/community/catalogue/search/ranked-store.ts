import { type RawBuilder, sql } from 'kysely';
import { SORT_POPULAR, TOTAL_EXACT_UP_TO } from '../../../../shared/constants.ts';
import { PREPARED } from '../../../database/query.ts';
import type { SearchPlace } from '../../pages.ts';
import type { Db } from '../../schema.ts';
import { isAfter, LISTING_ORDERS, type ListingOrder, type Sort } from '../listing-order.ts';
import type { KeywordQuery } from './query.ts';
import { type Expected, SURELY_MANY } from './store.ts';

/**
 * A match, its rank (1 exact name, 2 beginning of a name, 3 name, 4 intro, 5 anywhere; 1 for all where relevance does not
 * count) and its popularity or time.
 */
export type Match = { plugin_id: number; match_rank: number; sort_key: number };

export type Search = {
  tagId: number;
  query: KeywordQuery;
  /** By relevance without it, then popularity. */
  sort?: Sort | undefined;
  after: SearchPlace | undefined;
  limit: number;
};

/** Matches to read, all of one rank or each with the rank that an expression returns. */
type Part = {
  rank: RawBuilder<unknown>;
  condition: RawBuilder<unknown>;
  tagId: number;
  order: ListingOrder;
  place: RawBuilder<unknown>;
  limit: number;
};

/**
 * Up to 300 matches of all ranks are read and counted by one statement, which is tried where at most ten times as many are
 * expected: rare words take 5 to 10 ms instead of 7 to 12 at a million plugins (docs/decisions.md, 140).
 */
const FEW = 300;
const MAYBE_FEW = 10 * FEW;
/** "c" begins more names than this share: 26 ms instead of 77 (140), because a third of them should begin with it. */
const LETTER_SHARE = 0.15;
const LETTER_BEGINS_NAME = 1 / 3;
/** A walk through the plugins stops after this many times the expected number: estimates may be wrong (78). */
const WALK_FACTOR = 5;

const BY_POPULARITY = LISTING_ORDERS[SORT_POPULAR];

/**
 * A page of matches, by rank and then popularity or in the order asked for, and their total, counted up to one more than
 * is shown exactly.
 * @param search.total total of an earlier page
 */
export async function findMatches(
  db: Db,
  { total, ...search }: Search & { total: number | undefined },
  expected: Expected,
): Promise<{ rows: Match[]; total: number }> {
  const most = fewOf(search, expected, total);
  const few = most === undefined ? undefined : await readFew(db, search, most);
  if (few) return { rows: few.rows, total: total ?? few.total };
  const known = total ?? (isSurelyMany(expected) ? TOTAL_EXACT_UP_TO + 1 : undefined);
  // There are more than were read in vain.
  const guess = expected.isSure ? expected : { ...expected, full: most ?? expected.full };
  const [rows, counted] = await Promise.all([
    search.sort === undefined ? readRanked(db, search, guess) : readSorted(db, search, search.sort, guess),
    known ?? countMatches(db, search.query),
  ]);
  // A page that is not full has all there are, whatever was expected.
  const isAll = search.after === undefined && rows.length < search.limit;
  return { rows, total: isAll ? rows.length : counted };
}

/** Counting costs half of a search (83), so it is skipped where the estimate is far above what is shown exactly. */
function isSurelyMany({ full, isSure }: Expected): boolean {
  return isSure && full > SURELY_MANY;
}

/** Up to how many matches one statement reads and counts; undefined where more are expected. */
function fewOf({ limit }: Search, { full, listed, isSure }: Expected, total: number | undefined) {
  if (total !== undefined) return total <= FEW ? FEW : undefined;
  if (!isSure) return Math.max(FEW, worthReading(limit, listed));
  return full <= MAYBE_FEW ? FEW : undefined;
}

/** With this many matches, a walk that meets a page of them is as long as their number. */
function worthReading(limit: number, listed: number): number {
  return Math.ceil(Math.sqrt(limit * listed));
}

/** Counts by the words' indexes and `is_listed` alone, which is a third of the work of looking each match up (78). */
async function countMatches(db: Db, query: KeywordQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`${sql.raw(PREPARED)}
    select count(*)::int as total from (
      select from plugin_search s
        where s.is_listed and ${isMatch(query)}
        limit ${TOTAL_EXACT_UP_TO + 1}
    ) found`.execute(db);
  return rows[0]?.total ?? 0;
}

function readFew(db: Db, search: Search, most: number) {
  if (search.sort !== undefined) return readByWords(db, sortedPart(search, search.sort), most);
  const {
    tagId,
    query: { exact, prefix, words },
    after,
    limit,
  } = search;
  const rank = sql`case
    when s.name @@ ${exact}::tsquery then 1
    when s.name @@ ${prefix}::tsquery then 2
    when s.name @@ ${words}::tsquery then 3
    when s.headline @@ ${words}::tsquery then 4
    else 5
  end`;
  const place = after
    ? sql`and (-found.match_rank, popularity, plugin_id) < (${-after[0]}::int, ${after[1]}, ${after[2]})`
    : sql``;
  const part = { rank, condition: isMatch(search.query), tagId, order: BY_POPULARITY, place, limit };
  return readByWords(db, part, most);
}

/** SQL condition on `plugin_search s`. */
export function isMatch({ prefix, words, isMarked }: KeywordQuery): RawBuilder<unknown> {
  if (!isMarked) return sql`s."full" @@ ${words}::tsquery`;
  return sql`(s."full" @@ ${words}::tsquery or s.name @@ ${prefix}::tsquery)`;
}

/** All matches as one rank. */
function sortedPart({ tagId, query, after, limit }: Search, sort: Sort): Part {
  const order = LISTING_ORDERS[sort];
  const place = after ? sql`and ${isAfter(order, [after[1], after[2]])}` : sql``;
  return { rank: sql.lit(1), condition: isMatch(query), tagId, order, place, limit };
}

/** Reads as a single rank is read, in the order asked for. */
function readSorted(db: Db, search: Search, sort: Sort, { full, listed }: Expected): Promise<Match[]> {
  return readRank(db, sortedPart(search, sort), full, listed);
}

/** Rank of matches in the intro, and of those in any text. */
const IN_INTRO = 4;
const ANYWHERE = 5;

/** The best matches in names and intros, without their total: while a keyword is typed. */
export function findBest(db: Db, search: Search, expected: Expected): Promise<Match[]> {
  return readRanked(db, search, expected, IN_INTRO);
}

/**
 * Reads one rank after the other until the page is full; for most keywords the first three ranks fill it.
 * @param worst the last rank that is read
 */
async function readRanked(
  db: Db,
  { tagId, query: { exact, prefix, words }, after, limit }: Search,
  { name, headline, full, listed }: Expected,
  worst = ANYWHERE,
): Promise<Match[]> {
  const isExact = sql`s.name @@ ${exact}::tsquery`;
  const isPrefix = sql`s.name @@ ${prefix}::tsquery`;
  const inName = sql`s.name @@ ${words}::tsquery`;
  const inHeadline = sql`s.headline @@ ${words}::tsquery`;
  const inFull = sql`s."full" @@ ${words}::tsquery`;
  // Each condition excludes the better ranks, so that no plugin is found twice.
  const ranks: [condition: RawBuilder<unknown>, expected: number][] = [
    [isExact, 0],
    [sql`${isPrefix} and not (${isExact})`, name > LETTER_SHARE * listed ? name * LETTER_BEGINS_NAME : 0],
    [sql`${inName} and not (${isPrefix})`, name],
    [sql`${inHeadline} and not (${inName}) and not (${isPrefix})`, headline - name],
    [sql`${inFull} and not (${inHeadline}) and not (${isPrefix})`, full - headline],
  ];
  const matches: Match[] = [];
  for (const [index, [condition, expected]] of ranks.slice(0, worst).entries()) {
    const rank = index + 1;
    if (after !== undefined && rank < after[0]) continue;
    if (matches.length >= limit) break;
    const place = after?.[0] === rank ? sql`and ${isAfter(BY_POPULARITY, [after[1], after[2]])}` : sql``;
    const part = {
      rank: sql.lit(rank),
      condition,
      tagId,
      order: BY_POPULARITY,
      place,
      limit: limit - matches.length,
    };
    matches.push(...(await readRank(db, part, Math.max(0, expected), listed)));
  }
  return matches;
}

/**
 * Reads a rank through the plugins in their order where that meets a page sooner than the matches are read by their words, or
 * takes at most twice as long: with more matches than expected, reading by words would be in vain. Where the page is not
 * full, the estimate was wrong: the rank is read by its words, and where these are too many, through all plugins.
 */
async function readRank(db: Db, part: Part, expected: number, listed: number): Promise<Match[]> {
  const { limit } = part;
  const walk = (limit * listed) / expected;
  if (walk < 2 * expected) {
    const page = await walkThrough(db, part, Math.ceil(WALK_FACTOR * walk));
    if (page.length >= limit) return page;
  }
  return (await readByWords(db, part, worthReading(limit, listed)))?.rows ?? walkThrough(db, part);
}

type Found = { found: number; total: number } & (Match | { plugin_id: null });

/**
 * Reads from the words, by the GIN indexes, to the plugins; undefined for more matches than `most`. The inner `offset 0`
 * makes PostgreSQL look each plugin up by key: it expects as many matches as the limit allows and would otherwise read
 * the whole list.
 */
async function readByWords(
  db: Db,
  { rank, condition, tagId, order, place, limit }: Part,
  most: number,
): Promise<{ rows: Match[]; total: number } | undefined> {
  const { rows } = await sql<Found>`${sql.raw(PREPARED)}
    with found as materialized (
      select s.plugin_id, ${rank} as match_rank from plugin_search s where s.is_listed and ${condition}
        limit ${most + 1}
    ), counted as materialized (
      select count(*)::int as found from found
    ), listed as materialized (
      select found.plugin_id, found.match_rank, l.sorted, l.sort_key
        from found, lateral (
          select ${order.column} as sorted, ${order.key} as sort_key from plugin_listing
            where plugin_id = found.plugin_id and tag_id = ${tagId} ${place} offset 0
        ) l
        where (select found from counted) <= ${most}
    )
    select counted.found, (select count(*)::int from listed) as total, page.plugin_id, page.match_rank,
        page.sort_key
      from counted left join lateral (
        select * from listed order by match_rank, sorted desc, plugin_id desc limit ${limit}
      ) page on true
      order by page.match_rank, page.sorted desc, page.plugin_id desc`.execute(db);
  const [first] = rows;
  if (!first || first.found > most) return undefined;
  return { rows: rows.filter((row) => row.plugin_id !== null), total: first.total };
}

/**
 * Reads the plugins in their order until enough of them match. The inner `offset 0` keeps the planner, which cannot
 * estimate the beginnings of words, from reading and sorting all matches of a frequent word.
 * @param walk number of plugins to read; all without it
 */
async function walkThrough(
  db: Db,
  { rank, condition, tagId, order, place, limit }: Part,
  walk?: number,
): Promise<Match[]> {
  const { rows } = await sql<Match>`${sql.raw(PREPARED)}
    select l.plugin_id, ${rank} as match_rank, l.sort_key
      from (
        select plugin_id, ${order.column} as sorted, ${order.key} as sort_key from plugin_listing
          where tag_id = ${tagId} ${place} order by ${order.column} desc, plugin_id desc
          ${walk === undefined ? sql`` : sql`limit ${walk}`}
      ) l
      cross join lateral (
        select from plugin_search s where s.plugin_id = l.plugin_id and ${condition} offset 0
      ) matching
      order by l.sorted desc, l.plugin_id desc limit ${limit}`.execute(db);
  return rows;
}
