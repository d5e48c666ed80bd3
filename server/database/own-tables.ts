import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Log } from './log.ts';

/**
 * How long the tables are waited for at a time. Shorter than PostgreSQL's own deadlock_timeout (a second): whoever holds
 * one of them and wants another goes first, and is never sent away for our sake.
 */
const LOCK_TIMEOUT = '700ms';
/** Milliseconds between two tries; as much again at random. */
const PAUSE = 250;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Takes all tables of a schema for the transaction at hand, so that its changes meet nobody half-way: instances that serve
 * meanwhile wait a moment instead of ending in a deadlock. Waits for whoever works with them, as long as it takes.
 */
export async function takeTables(
  db: Kysely<unknown>,
  { schema, log }: { schema: string; log: Log },
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
      where schemaname = ${schema} and tablename not like 'kysely_%' order by tablename`.execute(db);
  if (rows.length === 0) return;
  const tables = sql.join(rows.map(({ name }) => sql.id(schema, name)));
  for (let tries = 1; !(await tryToTake()); tries += 1) {
    if (tries === 1) log.info({ schema }, 'waiting for the tables, to bring them up to date');
    await new Promise((resolve) => setTimeout(resolve, PAUSE + PAUSE * Math.random()));
  }

  async function tryToTake(): Promise<boolean> {
    await sql`savepoint take_tables`.execute(db);
    try {
      await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`.execute(db);
      await sql`lock table ${tables} in access exclusive mode`.execute(db);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
      await sql`rollback to savepoint take_tables`.execute(db);
      return false;
    }
    await sql`set local lock_timeout = 0`.execute(db);
    await sql`release savepoint take_tables`.execute(db);
    return true;
  }
}
