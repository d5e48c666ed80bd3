import { type RawBuilder, sql } from 'kysely';
import { ALL_TAG_ID, TOTAL_EXACT_UP_TO } from '../../../../shared/constants.ts';
import type { Db } from '../../schema.ts';
import { type KeywordQuery, quoteLexeme } from './query.ts';

/** With more expected matches than this, the total is above what is shown exactly: estimates may be wrong by a fifth. */
export const SURELY_MANY = 1.25 * TOTAL_EXACT_UP_TO;
/** Popular plugins by which is estimated how often several words occur together. */
const SAMPLE = 1000;
/** With fewer matches in the sample, their number may be wrong by more than a fifth. */
const SAMPLED_SURE = 25;
/** A filter of several values, or of a span of days: the planner does not know how often these occur. */
const COMPOSED = /&|(?:\|.*){2}/;
/** Most names have few similar words; more than this are no help. */
const NEIGHBOURS_MAX = 200;
/** Names read to find similar ones. */
const CANDIDATES_MAX = 300;

/** Number of plugins of a tag, or of all; undefined for a tag that does not exist. */
export async function readListed(db: Db, tagId: number): Promise<number | undefined> {
  const { rows } = await sql<{ total: number }>`
    select total from listing_total where tag_id = ${tagId}`.execute(db);
  return rows[0]?.total;
}

/**
 * Matches expected in each column of `plugin_search`, 0 where there is no estimate, and plugins of the list.
 * `isSure` is false where `full` may be far off: no total may be told by it.
 */
export type Expected = { name: number; headline: number; full: number; listed: number; isSure: boolean };

/**
 * Estimates how often a query matches in a list. Without the planner's estimate, a common word takes 117 ms instead of 15
 * at a million plugins (docs/decisions.md, 140). It knows single words only: for words that occur often, together or within
 * a tag, a sample of the popular plugins is read, without which they take 93 ms instead of 36 (140).
 */
export async function expectWords(
  db: Db,
  { parts, words, prefix }: KeywordQuery,
  { tagId, listed }: { tagId: number; listed: number },
): Promise<Expected> {
  const estimate = async (columns: readonly string[]) => {
    const queries = columns.flatMap((column) => parts.map((query) => ({ words: sql.ref(column), query })));
    return queries.length === 0 ? [] : (await expectMatches(db, sql`plugin_search`, queries)).matches;
  };
  const isEstimated = parts.length === 1 && (prefix !== '' || !COMPOSED.test(parts[0] ?? ''));
  if (isEstimated && tagId === ALL_TAG_ID) {
    const [name = 0, headline = 0, full = 0] = await estimate(['name', 'headline', 'full']);
    return { name, headline, full, listed, isSure: true };
  }
  const most = Math.min(listed, ...(await estimate(['full'])));
  if (most <= SURELY_MANY) return { name: 0, headline: 0, full: most, listed, isSure: false };
  const { rows } = await sql<Pick<Expected, 'name' | 'headline' | 'full'>>`
    select count(*) filter (where in_name) as name, count(*) filter (where in_headline) as headline, count(*) as "full"
      from (
        select plugin_id from plugin_listing where tag_id = ${tagId}
          order by popularity desc, plugin_id desc limit ${SAMPLE}
      ) l, lateral (
        select s.name @@ ${words}::tsquery as in_name, s.headline @@ ${words}::tsquery as in_headline
          from plugin_search s where s.plugin_id = l.plugin_id and s."full" @@ ${words}::tsquery offset 0
      ) matching`.execute(db);
  const [{ name, headline, full } = { name: 0, headline: 0, full: 0 }] = rows;
  const scale = listed / Math.min(SAMPLE, listed);
  return {
    name: name * scale,
    headline: headline * scale,
    full: full * scale,
    listed,
    isSure: full >= SAMPLED_SURE,
  };
}

type Explained = { 'QUERY PLAN': { Plan: { Plans: { 'Plan Rows': number }[] } }[] };

/**
 * The planner's estimates of how many rows each query matches, and how many rows the table has. Nothing is read, so it costs
 * the same for every word; it is right for frequent words and their beginnings. (`for share` rules out a parallel plan,
 * which estimates the rows of one worker; `explain` locks nothing.)
 */
export async function expectMatches(
  db: Db,
  table: RawBuilder<unknown>,
  queries: readonly { words: RawBuilder<unknown>; query: string }[],
): Promise<{ matches: number[]; all: number }> {
  const parts = queries.map(
    ({ words, query }) =>
      sql`select 1 from (select from ${table} w where w.${words} @@ ${query}::tsquery for share) part`,
  );
  const whole = sql`select 1 from (select from ${table} for share) whole`;
  const { rows } = await sql<Explained>`
    explain (format json) ${sql.join([...parts, whole], sql` union all `)}`.execute(db);
  const counts = rows[0]?.['QUERY PLAN'][0]?.Plan.Plans.map((plan) => plan['Plan Rows']) ?? [];
  return { matches: counts.slice(0, -1), all: counts.at(-1) ?? 0 };
}

/** Whether any plugin, of whatever tag, matches a query. */
export async function hasMatch(db: Db, query: string): Promise<boolean> {
  const { rows } = await sql`
    select from plugin_search where "full" @@ ${query}::tsquery limit 1`.execute(db);
  return rows.length > 0;
}

/** Words of names that could be one letter away from the given ones, by the deletion keys of `word_keys`. */
export async function findNeighbours(
  db: Db,
  words: readonly string[],
): Promise<{ asked: string; word: string }[]> {
  const { rows } = await sql<{ asked: string; word: string }>`
    select asked.word as asked, near.word
      from unnest(${[...words]}::text[]) asked (word)
      cross join lateral (
        select distinct s.word from word_keys(asked.word) keys (key) join search_word s on s.key = keys.key
          limit ${NEIGHBOURS_MAX}
      ) near`.execute(db);
  return rows;
}

/** Names by which the frequency of a word is compared. */
const COMPARED = 100;

/** The word that most names have; undefined if none is listed. */
export async function findMostFrequent(db: Db, words: readonly string[]): Promise<string | undefined> {
  const queries = words.map(quoteLexeme);
  const { rows } = await sql<{ word: string }>`
    select given.word
      from unnest(${[...words]}::text[], ${queries}::text[]) given (word, query)
      cross join lateral (
        select count(*) as names from (
          select from plugin_search s where s.is_listed and s.name @@ given.query::tsquery limit ${COMPARED}
        ) having_it
      ) counted
      where counted.names > 0
      order by counted.names desc, given.word limit 1`.execute(db);
  return rows[0]?.word;
}

/** A name of another publisher's plugin. */
export type OtherName = { name: string; publisher: string };

/**
 * Names that text-search queries find among the visible plugins of other publishers, with the index of the query. One
 * statement, in which each query has a plan of its own.
 */
export async function findOtherNames(
  db: Db,
  queries: readonly string[],
  publisherId: number,
): Promise<(OtherName & { query: number })[]> {
  if (queries.length === 0) return [];
  const parts = queries.map(
    (query, index) => sql`(
      with found as materialized (
        select plugin_id from plugin_search where name @@ ${query}::tsquery limit ${CANDIDATES_MAX}
      )
      select ${index}::int as query, t.name, person.nick_name as publisher
        from found
        join plugin p on p.id = found.plugin_id and p.is_visible and p.publisher_id <> ${publisherId}
        join plugin_text t on t.plugin_id = p.id and t.name <> ''
        join person on person.user_id = p.publisher_id
    )`,
  );
  const { rows } = await sql<OtherName & { query: number }>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows;
}
