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
 * once for all queries, and more of it once for those with some matches in it. What probably matches 1,000 plugins at most
 * is read by its words, and what has too few in the sample, which takes longer the more there are (docs/decisions.md, 331).
 * @param queries undefined for the whole list
 * @param list.listed length of the list without a query
 */
export async function countProperties(
  db: Db,
  queries: readonly (KeywordQuery | undefined)[],
  { tagId, listed }: { tagId: number; listed: number },
): Promise<Counted[]> {
  const scaleOf = ({ read }: Sample) => Math.max(1, listed / read);
  const isMany = (sample: Sample) => sample.total * scaleOf(sample) > SAMPLE;
  const isUnsure = (sample: Sample) => scaleOf(sample) > 1 && sample.total < SAMPLED_MIN;
  const isWorthMore = (sample: Sample) => isUnsure(sample) && isMany(sample) && sample.total >= MORE.from;

  const first = await countSample(db, queries, { tagId, from: 0, limit: SAMPLE });
  const wanting = first.flatMap((sample, index) => (isWorthMore(sample) ? [index] : []));
  const asked = wanting.map((index) => queries[index]);
  const more = await countSample(db, asked, { tagId, from: SAMPLE, limit: MORE.plugins });
  return Promise.all(
    first.map((sampled, index) => {
      const sample = sumOf(sampled, more[wanting.indexOf(index)]);
      const [query, scale] = [queries[index], scaleOf(sample)];
      const isRead = query && scale > 1 && (isUnsure(sample) || !isMany(sample));
      return isRead ? countFound(db, query, sample.total * scale) : { ...sample, scale };
    }),
  );
}

type Counts = { total: number; counts: PropertyCounts };
/** Counts in so many plugins that were read. */
type Sample = Counts & { read: number };

function sumOf(a: Sample, b: Sample | undefined): Sample {
  if (!b) return a;
  const properties = new Set([...a.counts.keys(), ...b.counts.keys()]);
  const sum = (property: string) => (a.counts.get(property) ?? 0) + (b.counts.get(property) ?? 0);
  return {
    total: a.total + b.total,
    counts: new Map([...properties].map((property) => [property, sum(property)])),
    read: a.read + b.read,
  };
}

/** Counts in the most popular plugins of a list, for each query. */
async function countSample(
  db: Db,
  queries: readonly (KeywordQuery | undefined)[],
  { tagId, from, limit }: { tagId: number; from: number; limit: number },
): Promise<Sample[]> {
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
  return queries.map((_, index) => ({
    ...countsOf(rows.map(({ property, counts }) => ({ property, count: counts[index] ?? 0 }))),
    read: limit,
  }));
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
