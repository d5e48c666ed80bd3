import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** Numbers of plugins that one range holds, published or not. */
export const RANGE_SIZE = 1000;

/**
 * Ranges that hold a published plugin, by looking up the first of each in the index: as many steps as there are ranges.
 * The rows of tag 0 are the published plugins.
 */
export async function readRanges(db: Db): Promise<number[]> {
  const { rows } = await sql<{ range: number }>`
    with recursive found (range) as (
      (select plugin_id / ${RANGE_SIZE}::bigint from plugin_listing where tag_id = 0 order by plugin_id limit 1)
      union all
      select (
        select l.plugin_id / ${RANGE_SIZE}::bigint from plugin_listing l
          where l.tag_id = 0 and l.plugin_id >= (found.range + 1) * ${RANGE_SIZE}::bigint
          order by l.plugin_id limit 1
      ) from found where found.range is not null
    )
    select range from found where range is not null`.execute(db);
  return rows.map(({ range }) => range);
}

/** Published plugins of one range, in the order of their numbers. */
export async function readRange(db: Db, range: number): Promise<{ plugin_key: string; updated_at: Date }[]> {
  const first = range * RANGE_SIZE;
  const end = first + RANGE_SIZE;
  // The bounds are said of both tables, as a planner does not carry them over a join.
  const { rows } = await sql<{ plugin_key: string; updated_at: Date }>`
    select p.plugin_key, p.updated_at
      from plugin_listing l join plugin p on p.id = l.plugin_id
      where l.tag_id = 0 and l.plugin_id >= ${first} and l.plugin_id < ${end}
        and p.id >= ${first} and p.id < ${end}
      order by l.plugin_id`.execute(db);
  return rows;
}
