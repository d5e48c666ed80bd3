import { sql } from 'kysely';
import type { Db } from '../../schema.ts';
import type { PropertyCounts } from './filters.ts';
import type { KeywordQuery } from './query.ts';
import { isMatch } from './ranked-store.ts';

/** Plugins of which the properties are counted; a longer list is estimated from its most popular ones. */
const SAMPLE = 1000;
/** With fewer matches in the sample, their number may be wrong by more than a fifth. */
const SAMPLED_MIN = 25;
/** Plugins that are read beside the sample for queries with at least so many matches in it, which have enough then. */
const MORE = { plugins: 2000, from: 10 } as const;

/** Matches that were read, how many have each property, and by how much both are to be multiplied. */
export type Counted = { total: number; counts: PropertyCounts; scale: number };

/**
 * Counts the properties of the plugins that match each query: of all of them up to 1,000, else of a part. The sample is read
 * once for all queries, and more of it once for those with some matches in it; fewer are read by their words, which takes
 * longer the more there are (docs/decisions.md, 331).
 * @param queries undefined for the whole list
 * @param list.listed length of the list without a query
 */
export async function countProperties(
  db: Db,
  queries: readonly (KeywordQuery | undefined)[],
  { tagId, listed }: { tagId: number; listed: number },
): Promise<Counted[]> {
  const first = await countSample(db, queries, { tagId, from: 0, limit: SAMPLE });
  const isEnough = ({ total }: Counts) => listed <= SAMPLE || total >= SAMPLED_MIN;
  const isWorthMore = (counts: Counts) => !isEnough(counts) && counts.total >= MORE.from;
  const asked = queries.filter((_, index) => isWorthMore(first[index] ?? NONE));
  const more = await countSample(db, asked, { tagId, from: SAMPLE, limit: MORE.plugins });
  return Promise.all(
    first.map((sampled, index) => {
      const query = queries[index];
      const further = isWorthMore(sampled) ? more[asked.indexOf(query)] : undefined;
      const [counts, size] = further ? [sumOf(sampled, further), SAMPLE + MORE.plugins] : [sampled, SAMPLE];
      const scale = Math.max(1, listed / size);
      return !query || isEnough(counts) ? { ...counts, scale } : countFound(db, query, counts.total * scale);
    }),
  );
}

type Counts = { total: number; counts: PropertyCounts };
const NONE: Counts = { total: 0, counts: new Map() };

function sumOf(a: Counts, b: Counts): Counts {
  const properties = new Set([...a.counts.keys(), ...b.counts.keys()]);
  const sum = (property: string) => (a.counts.get(property) ?? 0) + (b.counts.get(property) ?? 0);
  return {
    total: a.total + b.total,
    counts: new Map([...properties].map((property) => [property, sum(property)])),
  };
}

/** Counts in the most popular plugins of a list, for each query. */
async function countSample(
  db: Db,
  queries: readonly (KeywordQuery | undefined)[],
  { tagId, from, limit }: { tagId: number; from: number; limit: number },
): Promise<Counts[]> {
  if (queries.length === 0) return [];
  const conditions = queries.map((query) => (query ? isMatch(query) : sql`true`));
  const totals = queries.map((_, index) => sql`count(*) filter (where fits[${sql.lit(index + 1)}])`);
  const { rows } = await sql<{ property: string | null; counts: number[] }>`
    with sample as materialized (
      select s.properties, s.fits from (
        select plugin_id from plugin_listing where tag_id = ${tagId}
          order by popularity desc, plugin_id desc limit ${limit} offset ${from}
      ) l, lateral (
        select properties, array[${sql.join(conditions)}] as fits from plugin_search s
          where s.plugin_id = l.plugin_id offset 0
      ) s
    )
    select property, array[${sql.join(totals)}]::int[] as counts from sample, unnest(properties) property group by property
      union all select null, array[${sql.join(totals)}]::int[] from sample`.execute(db);
  return queries.map((_, index) =>
    countsOf(rows.map(({ property, counts }) => ({ property, count: counts[index] ?? 0 }))),
  );
}

/** Counts in the matches, read by their words; where these are too many, in some of them, scaled to the expected number. */
async function countFound(db: Db, query: KeywordQuery, expected: number): Promise<Counted> {
  const { rows } = await sql<PropertyRow>`
    with found as materialized (
      select s.properties from plugin_search s where s.is_listed and ${isMatch(query)} limit ${SAMPLE + 1}
    )
    select property, count(*)::int as count from found, unnest(properties) property group by property
      union all select null, count(*)::int from found`.execute(db);
  const found = countsOf(rows);
  return { ...found, scale: found.total <= SAMPLE ? 1 : Math.max(1, expected / found.total) };
}

/** A property, or null for the plugins. */
type PropertyRow = { property: string | null; count: number };

function countsOf(rows: readonly PropertyRow[]): Counts {
  return {
    total: rows.find(({ property }) => property === null)?.count ?? 0,
    counts: new Map(
      rows.flatMap(({ property, count }) => (property === null || count === 0 ? [] : [[property, count]])),
    ),
  };
}
