import { sql } from 'kysely';
import { ALL_TAG_ID, TOTAL_EXACT_UP_TO } from '../../../shared/constants.ts';
import type { Db } from '../schema.ts';
import { expectMatches } from './estimate-store.ts';
import type { KeywordQuery } from './query.ts';
import { type Expected, type Match, readRanked, type Search } from './ranked-store.ts';

/** Expected matches from which on nobody counts up to what is told exactly. */
const MANY = 1.25 * TOTAL_EXACT_UP_TO;
/** So many plugins of a tag tell how frequent a word is among them. */
const SAMPLE = 1000;

/**
 * How often a word is expected to occur; nothing is expected of several, for it is not known how often they meet.
 * @param listed plugins of the list
 */
export async function expectWords(
  db: Db,
  { words: query, isOneWord }: KeywordQuery,
  listed: number,
): Promise<Expected> {
  if (!isOneWord) return { name: 0, headline: 0, full: 0, listed };
  const table = sql`plugin_search`;
  const { matches } = await expectMatches(db, [
    { table, words: sql`name`, query },
    { table, words: sql`headline`, query },
    { table, words: sql`"full"`, query },
  ]);
  const [name = 0, headline = 0, full = 0] = matches;
  return { name, headline, full, listed };
}

/**
 * A page of matches and how many there are, counted no further than one above what is told exactly: exact names,
 * names that begin so, names, intros, everything else; the most popular first in each.
 * @param search.total counted for an earlier page
 */
export async function findMatches(
  db: Db,
  search: Search & { total: number | undefined },
  expected: Expected,
): Promise<{ rows: Match[]; total: number }> {
  const isMany =
    search.total === undefined ? await areMany(db, search, expected) : search.total > TOTAL_EXACT_UP_TO;
  const all = isMany ? undefined : await readAll(db, search);
  return all ?? { rows: await readRanked(db, search, expected), total: TOTAL_EXACT_UP_TO + 1 };
}

/** Word and tag may meet more seldom than chance has it, so a sample of the tag is asked as well. */
async function areMany(db: Db, { tagId, query }: Search, { full, listed }: Expected): Promise<boolean> {
  if (full <= MANY || tagId === ALL_TAG_ID) return full > MANY;
  const { rows } = await sql<{ matches: number }>`
    select count(*) as matches from (
      select plugin_id from plugin_listing where tag_id = ${tagId}
        order by popularity desc, plugin_id desc limit ${SAMPLE}
    ) l, lateral (
      select from plugin_search s where s.plugin_id = l.plugin_id and s."full" @@ ${query.words}::tsquery offset 0
    ) matching`.execute(db);
  return ((rows[0]?.matches ?? 0) / SAMPLE) * listed > MANY;
}

/**
 * Page and total of all matches, found by the GIN indexes alone, as the words of a long text lie elsewhere and cost four
 * blocks more; undefined when there are more than are counted. Each match looks its popularity up by key (the inner
 * `offset 0` is a fence): the planner, who expects as many as the limit allows, would read the whole list instead.
 */
async function readAll(
  db: Db,
  { tagId, query: { exact, prefix, words }, after, limit }: Search,
): Promise<{ rows: Match[]; total: number } | undefined> {
  const areFew = sql`(select found from counted) <= ${TOTAL_EXACT_UP_TO}`;
  const place = after
    ? sql`where (-match_rank, popularity, plugin_id) < (${-after[0]}::int, ${after[1]}, ${after[2]})`
    : sql``;
  const { rows } = await sql<Counted & (Match | { plugin_id: null })>`
    with found as materialized (
      select plugin_id from plugin_search s
        where s."full" @@ ${words}::tsquery or s.name @@ ${prefix}::tsquery limit ${TOTAL_EXACT_UP_TO + 1}
    ), counted as materialized (
      select count(*) as found from found
    ), better as materialized (
      select plugin_id, min(match_rank) as match_rank from (
        select plugin_id, 1 as match_rank from plugin_search where name @@ ${exact}::tsquery and ${areFew}
        union all select plugin_id, 2 from plugin_search where name @@ ${prefix}::tsquery and ${areFew}
        union all select plugin_id, 3 from plugin_search where name @@ ${words}::tsquery and ${areFew}
        union all select plugin_id, 4 from plugin_search where headline @@ ${words}::tsquery and ${areFew}
      ) matching group by plugin_id
    ), listed as materialized (
      select found.plugin_id, coalesce(better.match_rank, 5) as match_rank, l.popularity
        from found left join better using (plugin_id), lateral (
          select popularity from plugin_listing
            where plugin_id = found.plugin_id and tag_id = ${tagId} offset 0
        ) l where ${areFew}
    )
    select counted.found, (select count(*) from listed) as total, page.plugin_id, page.match_rank,
        page.popularity as sort_key
      from counted left join lateral (
        select * from listed ${place} order by match_rank, popularity desc, plugin_id desc limit ${limit}
      ) page on true
      order by page.match_rank, page.popularity desc, page.plugin_id desc`.execute(db);
  const [first] = rows;
  if (!first || first.found > TOTAL_EXACT_UP_TO) return undefined;
  return { rows: rows.filter((row) => row.plugin_id !== null), total: first.total };
}

type Counted = { found: number; total: number };

/** How many plugins a tag has, or all; undefined for a tag that does not exist. */
export async function readListed(db: Db, tagId: number): Promise<number | undefined> {
  const { rows } = await sql<{ total: number }>`
    select total from listing_total where tag_id = ${tagId}`.execute(db);
  return rows[0]?.total;
}
