import { type Kysely, sql, type Transaction } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { liftTimeouts, lock } from './advisory-lock.ts';
import { startError } from './errors.ts';
import type { Log } from './pool.ts';

/** Migrations by name, applied once in the order of their names (`0001-…`, `0002-…`). A released one never changes. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Migrates an app's schema to the latest version, or creates it. All pending migrations run in one transaction; there are
 * no down migrations. Several instances may call it at the same time: an advisory lock lets one of them do the work, and
 * locks on the tables make running instances wait. In migrations, names without a schema refer to the app's schema.
 *
 * @returns names of the migrations that were applied now
 * @throws start error when a newer release or a version before 1.0.0 made the schema, or the role may not change it; the
 *   error of a migration otherwise
 */
export async function migrate<DB>(options: {
  db: Kysely<DB>;
  schema: string;
  migrations: Migrations;
  log: Log;
}): Promise<string[]> {
  const { db, schema, migrations, log } = options;
  // A role that may only read and write rows can neither lock nor migrate.
  if ((await readPending(db, schema, migrations)).length === 0) return [];
  const ran = await db.transaction().execute(async (trx) => {
    await liftTimeouts(trx);
    await lock(trx, `plugin-square migrations of ${schema}`);
    // Another instance may have migrated meanwhile.
    const pending = await readPending(trx, schema, migrations);
    if (pending.length === 0) return [];
    return runMigrations(trx, { schema, migrations, log }).catch((error: unknown) => {
      throw isForbidden(error) ? mayNotMigrate({ schema, pending }, error) : error;
    });
  });
  if (ran.length > 0) log.info({ schema, migrations: ran }, 'migrated the database');
  return ran;
}

async function runMigrations<DB>(
  trx: Transaction<DB>,
  { schema, migrations, log }: { schema: string; migrations: Migrations; log: Log },
): Promise<string[]> {
  await sql`create schema if not exists ${sql.id(schema)}`.execute(trx);
  await sql`select set_config('search_path', ${schema}, true)`.execute(trx);
  const migrator = new Migrator({
    db: trx,
    provider: { getMigrations: async () => withTableLocks(migrations, { schema, log }) },
    migrationTableSchema: schema,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

const INSUFFICIENT_PRIVILEGE = '42501';

function isForbidden(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE;
}

function mayNotMigrate(
  { schema, pending }: { schema: string; pending: readonly string[] },
  cause: unknown,
): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return startError(
    `The database needs migrations (${schema}: ${pending.join(', ')}) that this role may not make (${reason}). Run ` +
      'npm run migrate with the role that owns the database (docs/operations.md, "A role for each task").',
    cause,
  );
}

/** Names of the migrations to run, in order. */
async function readPending<DB>(db: Kysely<DB>, schema: string, migrations: Migrations): Promise<string[]> {
  const names = Object.keys(migrations).sort();
  const applied = await readMigrations(db, schema).catch((error: unknown) => {
    throw isForbidden(error) ? mayNotMigrate({ schema, pending: names }, error) : error;
  });
  refuseUnknown(applied ?? [], schema, migrations);
  return names.filter((name) => !applied?.includes(name));
}

/**
 * Makes the first pending migration lock all tables first, and each begin without checks and triggers that an earlier one has
 * deferred: PostgreSQL does not change a table with pending trigger events.
 */
function withTableLocks(
  migrations: Migrations,
  at: { schema: string; log: Log },
): Record<string, Migrations[string]> {
  let isLocked = false;
  const lockOnce = async (db: Kysely<unknown>): Promise<void> => {
    if (!isLocked) await lockTables(db, at);
    isLocked = true;
  };
  return Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [
      name,
      {
        async up(db: Kysely<unknown>) {
          await lockOnce(db);
          await sql`set constraints all immediate`.execute(db);
          await up(db);
        },
      },
    ]),
  );
}

function refuseUnknown(applied: readonly string[], schema: string, migrations: Migrations): void {
  const { isBefore, unknown } = compareMigrations(applied, migrations);
  if (isBefore)
    throw startError(
      `The database was made by a version before 1.0.0 (${schema}), which cannot be upgraded. With that version, make a ` +
        'bundle of its plugins (npm run bundle -- export FILE --all), and import it into a new database with this one ' +
        '(docs/operations.md, "From a version before 1.0.0").',
    );
  if (unknown.length === 0) return;
  throw startError(
    `The database was migrated by a newer release (${schema}: ${unknown.join(', ')}). ` +
      'Start that release or a later one.',
  );
}

/**
 * Compares the applied migrations of a schema with those of this release.
 * @returns `isBefore`: made before the baseline, by a version that was never released; `unknown`: those of a newer release
 */
export function compareMigrations(
  applied: readonly string[],
  migrations: Migrations,
): { isBefore: boolean; unknown: string[] } {
  const [baseline] = Object.keys(migrations).sort();
  const isBefore = applied.length > 0 && baseline !== undefined && !applied.includes(baseline);
  return { isBefore, unknown: applied.filter((name) => !(name in migrations)) };
}

/** Names of the applied migrations of a schema, in order; undefined if it was never migrated. */
export async function readMigrations<DB>(db: Kysely<DB>, schema: string): Promise<string[] | undefined> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass(${`${schema}.kysely_migration`}) is not null as found`.execute(db);
  if (!rows[0]?.found) return undefined;
  const applied = await sql<{ name: string }>`
    select name from ${sql.id(schema, 'kysely_migration')} order by name`.execute(db);
  return applied.rows.map(({ name }) => name);
}

/**
 * Shorter than PostgreSQL's deadlock_timeout (1 s): in a deadlock with another transaction, this one gives up first, and
 * PostgreSQL never aborts the other one.
 */
const LOCK_TIMEOUT = '700ms';
/** Delay between two attempts; up to the same time is added at random. */
const RETRY_MS = 250;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Locks all tables of a schema for the current transaction, so that queries of running instances wait instead of causing a
 * deadlock. Waits for other transactions without a time limit.
 */
async function lockTables(db: Kysely<unknown>, { schema, log }: { schema: string; log: Log }): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
      where schemaname = ${schema} and tablename not like 'kysely_%' order by tablename`.execute(db);
  if (rows.length === 0) return;
  const tables = sql.join(rows.map(({ name }) => sql.id(schema, name)));
  for (let attempt = 1; !(await tryLock()); attempt += 1) {
    if (attempt === 1) log.info({ schema }, 'waiting for table locks to migrate the database');
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS + RETRY_MS * Math.random()));
  }

  async function tryLock(): Promise<boolean> {
    await sql`savepoint lock_tables`.execute(db);
    try {
      await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`.execute(db);
      await sql`lock table ${tables} in access exclusive mode`.execute(db);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
      await sql`rollback to savepoint lock_tables`.execute(db);
      return false;
    }
    await sql`set local lock_timeout = 0`.execute(db);
    await sql`release savepoint lock_tables`.execute(db);
    return true;
  }
}
