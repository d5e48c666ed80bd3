import { type RawBuilder, sql } from 'kysely';
import { ALL_TAG_ID, TOTAL_EXACT_UP_TO } from '../../../shared/constants.ts';
import { PREPARED } from '../../database/query.ts';
import type { Db } from '../schema.ts';
import type { KeywordQuery } from './query.ts';
import { type Expected, type Match, readRanked, type Search } from './ranked-store.ts';

/** Expected matches from which on nobody counts up to what is told exactly: statistics may be wrong by a fifth. */
export const SURELY_MANY = 1.25 * TOTAL_EXACT_UP_TO;

/** So many of the popular tell how frequent words are in a list. */
const SAMPLE = 1000;
/** Up to so many matches are ranked and sorted all together; tried where at most ten times as many are expected. */
const FEW = 300;
const MAYBE_FEW = 10 * FEW;
/** Words that occur less often cost less to count than to ask a sample of. */
const SAMPLED_FROM = 5 * SURELY_MANY;
/** No word has more neighbours that are worth asking for. */
const NEIGHBOURS_MAX = 200;

/** How many plugins a tag has, or all; undefined for a tag that does not exist. */
export async function readListed(db: Db, tagId: number): Promise<number | undefined> {
  const { rows } = await sql<{ total: number }>`
    select total from listing_total where tag_id = ${tagId}`.execute(db);
  return rows[0]?.total;
}

/** Plugins of a tag, or all. */
type List = { tagId: number; listed: number };

/**
 * How often a query is expected to match in a list. Statistics tell it of one word among all plugins. How often several
 * meet, or a word and a tag, is not known from how often each occurs: where that could be often, a sample is asked.
 */
export async function expectWords(db: Db, query: KeywordQuery, { tagId, listed }: List): Promise<Expected> {
  const { parts } = query;
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0 && tagId === ALL_TAG_ID) {
    const [name = 0, headline = 0, full = 0] = await expectIn(db, COLUMNS, [only]);
    return { name, headline, full, listed };
  }
  const most = Math.min(listed, ...(await expectIn(db, ['full'], parts)));
  return most > SAMPLED_FROM
    ? sampleWords(db, query, { tagId, listed })
    : { name: 0, headline: 0, full: most, listed };
}

const COLUMNS = ['name', 'headline', 'full'] as const;

/** Expected matches of each part in each column. */
async function expectIn(
  db: Db,
  columns: readonly (typeof COLUMNS)[number][],
  parts: readonly string[],
): Promise<number[]> {
  const [first, ...more] = columns.flatMap((column) =>
    parts.map((query) => ({ table: sql`plugin_search`, words: sql.ref(column), query })),
  );
  return first ? (await expectMatches(db, [first, ...more])).matches : [];
}

async function sampleWords(db: Db, { words }: KeywordQuery, { tagId, listed }: List): Promise<Expected> {
  const { rows } = await sql<Omit<Expected, 'listed'>>`
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
  return { name: name * scale, headline: headline * scale, full: full * scale, listed };
}

/**
 * A page of matches and how many there are, counted no further than one above what is told exactly: exact names,
 * names that begin so, names, intros, everything else; the most popular first in each. Where a few are expected, page and
 * count are read in one; else at the same time, the count only where it is neither known nor expected to be beyond that.
 * @param search.total counted for an earlier page
 */
export async function findMatches(
  db: Db,
  { total, ...search }: Search & { total: number | undefined },
  expected: Expected,
): Promise<{ rows: Match[]; total: number }> {
  const areFew = total === undefined ? expected.full <= MAYBE_FEW : total <= FEW;
  const few = areFew ? await readFew(db, search, FEW) : undefined;
  if (few) return { rows: few.rows, total: total ?? few.total };
  const known = total ?? (expected.full > SURELY_MANY ? TOTAL_EXACT_UP_TO + 1 : undefined);
  const [rows, counted] = await Promise.all([
    readRanked(db, search, expected),
    known ?? countMatches(db, search.query),
  ]);
  return { rows, total: counted };
}

/** Matches, by the words' indexes and the search rows alone, no further than one above what is told exactly. */
async function countMatches(db: Db, { prefix, words }: KeywordQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`${sql.raw(PREPARED)}
    select count(*)::int as total from (
      select from plugin_search s
        where s.is_listed and (s."full" @@ ${words}::tsquery or s.name @@ ${prefix}::tsquery)
        limit ${TOTAL_EXACT_UP_TO + 1}
    ) found`.execute(db);
  return rows[0]?.total ?? 0;
}

type Ranked = { total: number; matches: number } & (Match | { plugin_id: null });

/**
 * A page of the matches of rare words and how many there are, in one statement that looks at each of them; undefined
 * when there are more than so many.
 */
async function readFew(
  db: Db,
  { tagId, query: { exact, prefix, words }, after, limit }: Search,
  most: number,
): Promise<{ rows: Match[]; total: number } | undefined> {
  const place = after
    ? sql`where (-match_rank, popularity, plugin_id) < (${-after[0]}::int, ${after[1]}, ${after[2]})`
    : sql``;
  const { rows } = await sql<Ranked>`${sql.raw(PREPARED)}
    with found as materialized (
      select plugin_id, case
          when name @@ ${exact}::tsquery then 1
          when name @@ ${prefix}::tsquery then 2
          when name @@ ${words}::tsquery then 3
          when headline @@ ${words}::tsquery then 4
          else 5
        end as match_rank
        from plugin_search
        where is_listed and ("full" @@ ${words}::tsquery or name @@ ${prefix}::tsquery) limit ${most + 1}
    ), counted as materialized (
      select count(*)::int as matches from found
    ), listed as materialized (
      select found.plugin_id, found.match_rank, l.popularity
        from found, lateral (
          select popularity from plugin_listing
            where plugin_id = found.plugin_id and tag_id = ${tagId} offset 0
        ) l
        where (select matches from counted) <= ${most}
    )
    select counted.matches, (select count(*)::int from listed) as total, page.plugin_id, page.match_rank,
        page.popularity as sort_key
      from counted left join lateral (
        select * from listed ${place} order by match_rank, popularity desc, plugin_id desc limit ${limit}
      ) page on true
      order by page.match_rank, page.popularity desc, page.plugin_id desc`.execute(db);
  const [first] = rows;
  if (!first || first.matches > most) return undefined;
  return { rows: rows.filter((row) => row.plugin_id !== null), total: first.total };
}

/** A table of words and its column that a query is asked of. */
export type Asked = { table: RawBuilder<unknown>; words: RawBuilder<unknown>; query: string };

type Explained = { 'QUERY PLAN': { Plan: { Plans: { 'Plan Rows': number }[] } }[] };

/**
 * How many rows match, and how many rows the first table has, as the planner expects by its statistics. Nothing is
 * read, so it costs the same for every word: a hint for which road to take, right for frequent words and their
 * beginnings. (`for share` keeps the plan from being shared out to workers, whose rows would be counted each; explaining
 * locks nothing.)
 */
export async function expectMatches(
  db: Db,
  asked: readonly [Asked, ...Asked[]],
): Promise<{ matches: number[]; all: number }> {
  const parts = asked.map(
    ({ table, words, query }) =>
      sql`select 1 from (select from ${table} w where w.${words} @@ ${query}::tsquery for share) part`,
  );
  const whole = sql`select 1 from (select from ${asked[0].table} for share) whole`;
  const { rows } = await sql<Explained>`
    explain (format json) ${sql.join([...parts, whole], sql` union all `)}`.execute(db);
  const counts = rows[0]?.['QUERY PLAN'][0]?.Plan.Plans.map((plan) => plan['Plan Rows']) ?? [];
  return { matches: counts.slice(0, -1), all: counts.at(-1) ?? 0 };
}

/** Whether anything at all, in whatever tag, matches a query on everything that is searched. */
export async function hasMatch(db: Db, query: string): Promise<boolean> {
  const { rows } = await sql`
    select from plugin_search where "full" @@ ${query}::tsquery limit 1`.execute(db);
  return rows.length > 0;
}

/** Words of names that could be one letter away from the given ones; see `word_keys` for how they are found. */
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

/** A name of somebody else's plugin that is in the marketplace. */
export type OtherName = { name: string; publisher: string };

const CANDIDATES = 300;

/** Names that a text-search query finds among the plugins of other publishers. */
export async function findOtherNames(db: Db, query: string, publisherId: number): Promise<OtherName[]> {
  const { rows } = await sql<OtherName>`
    with found as materialized (
      select plugin_id from plugin_search where name @@ ${query}::tsquery limit ${CANDIDATES}
    )
    select t.name, person.nick_name as publisher
      from found
      join plugin p on p.id = found.plugin_id and p.is_visible and p.publisher_id <> ${publisherId}
      join plugin_text t on t.plugin_id = p.id and t.name <> ''
      join person on person.user_id = p.publisher_id`.execute(db);
  return rows;
}
