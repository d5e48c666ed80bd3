import { sql } from 'kysely';
import { ALL_TAG_ID, TOTAL_EXACT_UP_TO } from '../../../shared/constants.ts';
import type { Db } from '../schema.ts';
import { expectMatches } from './estimate-store.ts';
import type { KeywordQuery } from './query.ts';
import { type Expected, type Match, readRanked, type Search } from './ranked-store.ts';

/** Expected matches from which on nobody counts up to what is told exactly. */
const MANY = 1.25 * TOTAL_EXACT_UP_TO;
/** So many of the popular tell how frequent words are in a list. */
const SAMPLE = 1000;

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
  return most > MANY
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
 * names that begin so, names, intros, everything else; the most popular first in each.
 * @param search.total counted for an earlier page
 */
export async function findMatches(
  db: Db,
  search: Search & { total: number | undefined },
  expected: Expected,
): Promise<{ rows: Match[]; total: number }> {
  const isMany = search.total === undefined ? expected.full > MANY : search.total > TOTAL_EXACT_UP_TO;
  const all = isMany ? undefined : await readAll(db, search);
  return all ?? { rows: await readRanked(db, search, expected), total: TOTAL_EXACT_UP_TO + 1 };
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
