import { sql } from 'kysely';
import { ALL_TAG_ID, TOTAL_EXACT_UP_TO } from '../../../shared/constants.ts';
import { PREPARED } from '../../database/prepared.ts';
import type { Db } from '../schema.ts';
import { expectMatches, SURELY_MANY } from './estimate-store.ts';
import { readFew } from './few-store.ts';
import type { KeywordQuery } from './query.ts';
import { type Expected, type Match, readRanked, type Search } from './ranked-store.ts';

/** So many of the popular tell how frequent words are in a list. */
const SAMPLE = 1000;
/** Up to so many matches are ranked and sorted all together; tried where at most ten times as many are expected. */
const FEW = 300;
const MAYBE_FEW = 10 * FEW;
/** Words that occur less often cost less to count than to ask a sample of. */
const SAMPLED_FROM = 5 * SURELY_MANY;

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

/** How many plugins a tag has, or all; undefined for a tag that does not exist. */
export async function readListed(db: Db, tagId: number): Promise<number | undefined> {
  const { rows } = await sql<{ total: number }>`
    select total from listing_total where tag_id = ${tagId}`.execute(db);
  return rows[0]?.total;
}
