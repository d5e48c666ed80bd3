import { type InsertObject, sql, type Transaction } from 'kysely';
import type { IdentityDb, IdentityTables } from './schema.ts';

/** Waits until no other instance holds the lock of this name; it is released with the transaction. */
export async function acquireAdvisoryLock(db: Transaction<IdentityTables>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`plugin-square identity: ${name}`}, 0))`.execute(
    db,
  );
}

export async function insertRow<T extends keyof IdentityTables>(
  db: IdentityDb,
  table: T,
  row: InsertObject<IdentityTables, T>,
): Promise<void> {
  await db.insertInto(table).values(row).execute();
}

/** Consumes a mailed link. Returns true to one of any number of concurrent callers. */
export async function consumeLink(
  db: IdentityDb,
  table: 'password_link' | 'sign_up_link',
  tokenHash: Buffer,
  at: Date,
): Promise<boolean> {
  const result = await db
    .deleteFrom(table)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
