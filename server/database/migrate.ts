import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { startError } from './errors.ts';
import type { Log } from './pool.ts';

/** Steps by name, run once each in the order of their names (`0001-…`, `0002-…`). A released step never changes. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Brings an app's schema up to date, making it first where it is missing. Forward only: all pending steps run in
 * one transaction, or none. Any number of instances may call it at once: they take turns under an advisory lock,
 * and only the first finds work. Instances that serve meanwhile are waited for, and then wait. Inside a step, names
 * without a schema mean the app's schema.
 *
 * @returns names of the steps that ran now
 * @throws start error when the schema holds steps that this release does not know; a step's own error otherwise
 */
export async function migrate<DB>(options: {
  db: Kysely<DB>;
  schema: string;
  migrations: Migrations;
  log: Log;
}): Promise<string[]> {
  const { schema, log } = options;
  return options.db.connection().execute(async (db) => {
    await sql`select set_config('statement_timeout', '0', false), set_config('search_path', ${schema}, false)`.execute(
      db,
    );
    await sql`select pg_advisory_lock(hashtextextended(${lockName(schema)}, 0))`.execute(db);
    try {
      await sql`create schema if not exists ${sql.id(schema)}`.execute(db);
      const ran = await runPending(db, schema, { migrations: options.migrations, log });
      if (ran.length > 0) log.info({ schema, migrations: ran }, 'migrated the database');
      return ran;
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${lockName(schema)}, 0))`.execute(db);
      await sql`reset statement_timeout`.execute(db);
      await sql`reset search_path`.execute(db);
    }
  });
}

async function runPending<DB>(
  db: Kysely<DB>,
  schema: string,
  { migrations, log }: { migrations: Migrations; log: Log },
): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => withTables(migrations, { schema, log }) },
    migrationTableSchema: schema,
  });
  await refuseUnknown(db, schema, migrations);
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

/** The first step that runs takes the tables, for all of them. */
function withTables(
  migrations: Migrations,
  at: { schema: string; log: Log },
): Record<string, Migrations[string]> {
  let taken = false;
  const begin = async (db: Kysely<unknown>): Promise<void> => {
    if (!taken) await takeTables(db, at);
    taken = true;
  };
  return Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [
      name,
      { up: (db: Kysely<unknown>) => begin(db).then(() => up(db)) },
    ]),
  );
}

async function refuseUnknown<DB>(db: Kysely<DB>, schema: string, migrations: Migrations): Promise<void> {
  const table = sql.id(schema, 'kysely_migration');
  const { rows } = await sql<{
    made: boolean;
  }>`select to_regclass(${`${schema}.kysely_migration`}) is not null as made`.execute(db);
  if (!rows[0]?.made) return;
  const executed = await sql<{ name: string }>`select name from ${table} order by name`.execute(db);
  const unknown = executed.rows.filter(({ name }) => !(name in migrations)).map(({ name }) => name);
  if (unknown.length === 0) return;
  throw startError(
    `The database was brought up to date by a newer release (${schema}: ${unknown.join(', ')}). ` +
      'Start that release or a later one.',
  );
}

function lockName(schema: string): string {
  return `plugin-square migrations of ${schema}`;
}

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
async function takeTables(db: Kysely<unknown>, { schema, log }: { schema: string; log: Log }): Promise<void> {
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
