import { type RawBuilder, sql } from 'kysely';
import { ALL_TAG_ID, TOTAL_EXACT_UP_TO } from '../../../shared/constants.ts';
import type { Db } from '../schema.ts';
import { expectMatches } from './estimate-store.ts';
import type { KeywordQuery } from './query.ts';
import { type Expected, type Match, readRanked, type Search } from './ranked-store.ts';

/** Expected matches from which on nobody counts up to what is told exactly. */
const MANY = 2 * TOTAL_EXACT_UP_TO;
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
 * Page and total in one pass over all matches, found by the GIN indexes; undefined when there are more than are
 * counted. Each match looks its popularity up by key (the inner `offset 0` is a fence): the planner, who expects as
 * many as the limit allows, would read the whole list instead.
 */
async function readAll(
  db: Db,
  { tagId, query, after, limit }: Search,
): Promise<{ rows: Match[]; total: number } | undefined> {
  const { prefix, words } = query;
  const place = after
    ? sql`where (-match_rank, popularity, plugin_id) < (${-after[0]}::int, ${after[1]}, ${after[2]})`
    : sql``;
  const { rows } = await sql<Counted & (Match | { plugin_id: null })>`
    with found as materialized (
      select s.plugin_id, ${rankOf(query)} as match_rank from plugin_search s
        where s."full" @@ ${words}::tsquery or s.name @@ ${prefix}::tsquery limit ${TOTAL_EXACT_UP_TO + 1}
    ), counted as materialized (
      select count(*) as found from found
    ), listed as materialized (
      select found.plugin_id, found.match_rank, l.popularity from counted, found, lateral (
        select popularity from plugin_listing
          where plugin_id = found.plugin_id and tag_id = ${tagId} offset 0
      ) l where counted.found <= ${TOTAL_EXACT_UP_TO}
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

function rankOf({ exact, prefix, words }: KeywordQuery): RawBuilder<number> {
  return sql`case
    when not s.name @@ ${prefix}::tsquery then
      case when s.name @@ ${words}::tsquery then 3 when s.headline @@ ${words}::tsquery then 4 else 5 end
    when s.name @@ ${exact}::tsquery then 1 else 2 end`;
}

/** How many plugins a tag has, or all; undefined for a tag that does not exist. */
export async function readListed(db: Db, tagId: number): Promise<number | undefined> {
  const { rows } = await sql<{ total: number }>`
    select total from listing_total where tag_id = ${tagId}`.execute(db);
  return rows[0]?.total;
}
