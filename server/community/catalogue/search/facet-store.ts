import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../schema.ts';
import type { PropertyCounts } from './filters.ts';
import type { KeywordQuery } from './query.ts';
import { isMatch } from './ranked-store.ts';

/** Plugins of which the properties are counted; a longer list is estimated from its most popular ones. */
const SAMPLE = 2000;
/** Fewer matches in the sample say too little: matches are then read by their words. */
const SAMPLED_MIN = 100;

/** Matches that were read, how many have each property, and by how much both are to be multiplied. */
export type Counted = { total: number; counts: PropertyCounts; scale: number };

/**
 * Counts the properties of the plugins that match: of all of them up to 2,000, else of a part.
 * @param query undefined for the whole list
 * @param list.listed length of the list without the query
 */
export async function countProperties(
  db: Db,
  query: KeywordQuery | undefined,
  { tagId, listed }: { tagId: number; listed: number },
): Promise<Counted> {
  const sample = await count(
    db,
    sql`
      select s.properties from (
        select plugin_id from plugin_listing where tag_id = ${tagId}
          order by popularity desc, plugin_id desc limit ${SAMPLE}
      ) l, lateral (
        select properties from plugin_search s where s.plugin_id = l.plugin_id
          ${query ? sql`and ${isMatch(query)}` : sql``} offset 0
      ) s`,
  );
  const scale = Math.max(1, listed / SAMPLE);
  if (!query || scale === 1 || sample.total >= SAMPLED_MIN) return { ...sample, scale };
  const found = await count(
    db,
    sql`select s.properties from plugin_search s where s.is_listed and ${isMatch(query)} limit ${SAMPLE + 1}`,
  );
  if (found.total <= SAMPLE) return { ...found, scale: 1 };
  return { ...found, scale: Math.max(1, (sample.total * scale) / found.total) };
}

async function count(
  db: Db,
  matched: RawBuilder<unknown>,
): Promise<{ total: number; counts: PropertyCounts }> {
  const { rows } = await sql<{ property: string | null; count: number }>`
    with matched as materialized (${matched})
    select property, count(*)::int as count from matched, unnest(properties) property group by property
      union all select null, count(*)::int from matched`.execute(db);
  return {
    total: rows.find(({ property }) => property === null)?.count ?? 0,
    counts: new Map(rows.flatMap(({ property, count }) => (property === null ? [] : [[property, count]]))),
  };
}
