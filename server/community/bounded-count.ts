import { type RawBuilder, sql } from 'kysely';
import { TOTAL_EXACT_UP_TO } from '../../shared/constants.ts';
import type { Db } from './schema.ts';

/** How many rows a list has; counting stops one above the number that is told exactly. */
export async function boundedCount(db: Db, fromWhere: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select ${fromWhere} limit ${TOTAL_EXACT_UP_TO + 1}) counted`.execute(db);
  return rows[0]?.count ?? 0;
}
