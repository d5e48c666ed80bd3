import type { Pool } from 'pg';

/** What the service itself empties every few seconds, and then changes the rows that were noted there. */
const QUEUES = 'search_pending, popularity_change, figure_change, tally_change';

/** Empties tables between tests. A round of the service that is at work ends first: it would lock the same rows in another order. */
export async function emptyTables(pool: Pool, tables: readonly string[]): Promise<void> {
  const deletions = [...tables, 'search_pending'].map((table) => `delete from ${table}`);
  await pool.query([`lock table ${QUEUES}`, ...deletions].join('; '));
}
