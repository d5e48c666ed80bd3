import { sql, type Transaction } from 'kysely';
import type { IdentityTables } from './schema.ts';

/** Waits until no other instance does the work of this name; the turn ends with the transaction. */
export async function acquireAdvisoryLock(db: Transaction<IdentityTables>, work: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`plugin-square identity: ${work}`}, 0))`.execute(
    db,
  );
}
