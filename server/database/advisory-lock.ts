import { type Kysely, sql, type Transaction } from 'kysely';

/**
 * Runs `work` while a transaction of its own holds the lock, so that the lock also holds behind a pooler. Takes one
 * connection; `work` uses others.
 * @returns undefined while another connection holds the lock
 */
export async function tryWithLock<DB, T>(
  db: Kysely<DB>,
  name: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return db.transaction().execute(async (trx) => {
    await liftTimeouts(trx);
    const { rows } = await sql<{ is_locked: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as is_locked`.execute(trx);
    return rows[0]?.is_locked ? work() : undefined;
  });
}

/** The same, but waits for the lock. */
export async function withLock<DB, T>(db: Kysely<DB>, name: string, work: () => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await liftTimeouts(trx);
    await lock(trx, name);
    return work();
  });
}

/** Waits for a lock that is released with the transaction. */
export async function lock<DB>(trx: Transaction<DB>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

/** Lets the statements and pauses of a transaction take any time. */
export async function liftTimeouts<DB>(trx: Transaction<DB>): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx);
}
