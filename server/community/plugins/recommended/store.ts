import { sql } from 'kysely';
import type { Db } from '../../schema.ts';

/** More than administrators will ever curate by hand. */
const RECOMMENDED_MAX = 400;

/** Ids of the recommended plugins that visitors may see, in their order. */
export async function readRecommendedIds(db: Db): Promise<number[]> {
  const { rows } = await sql<{ plugin_id: number }>`
    select r.plugin_id from recommendation r
      join plugin_listing l on l.plugin_id = r.plugin_id and l.tag_id = 0
      order by r.position, r.plugin_id limit ${RECOMMENDED_MAX}`.execute(db);
  return rows.map((row) => row.plugin_id);
}
