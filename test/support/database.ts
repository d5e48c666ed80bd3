import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import pg from 'pg';
import type { Migrations } from '../../server/database/migrate.ts';
import { migrate } from '../../server/database/migrate.ts';
import type { Pool } from '../../server/database/pool.ts';
import { openKysely, openPool } from '../../server/database/pool.ts';
import { runServer } from './database-server.ts';
import { silentLog } from './log.ts';

/** A separate database for a test, on a real server. */
export interface TestDatabase<DB> {
  /** URL of the database, for DATABASE_URL. */
  url: string;
  pool: Pool;
  db: Kysely<DB>;
}

/** The part of a tap test that is used here. */
interface Teardown {
  teardown(handler: () => Promise<void>): void;
}

/** A service's tables. */
type Tables = { schema: string; migrations: Migrations };

/**
 * Creates an empty database, one with `migrations` in `schema`, one with the tables of several services, or a copy of
 * `template`, and drops it after the test. The first test with certain migrations runs them; the others get a copy of the
 * result.
 */
export async function testDatabase<DB>(
  t: Teardown,
  options: Partial<Tables> & { services?: readonly Tables[]; name?: string; template?: string } = {},
): Promise<TestDatabase<DB>> {
  const { schema = 'public', migrations = {}, name = 'test' } = options;
  const { url: server, tablespace } = await runServer();
  const { services = [{ schema, migrations }] } = options;
  const template = options.template ?? (await makeTemplate(server, services));
  const database = `${name.replaceAll(/\W/g, '_')}_${process.pid}_${nextNumber()}`;
  const place = tablespace && `tablespace ${tablespace}`;
  await onServer(server, (client) =>
    client.query(`create database "${database}" template "${template}" ${place}`),
  );
  const url = databaseUrl(server, database);
  const pool = openPool(url, { applicationName: 'test', schema, log: silentLog });
  t.teardown(async () => {
    if (!pool.ending) await pool.end();
    await onServer(server, (client) => dropDatabase(client, database));
  });
  return { url, pool, db: openKysely<DB>(pool) };
}

/** PostgreSQL's error for a database with connections. */
const OBJECT_IN_USE = '55006';

/**
 * Tries a plain drop first: it cancels an autovacuum in the database, while `force` fails
 * because of it.
 */
async function dropDatabase(client: pg.Client, database: string): Promise<void> {
  try {
    await client.query(`drop database if exists "${database}"`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== OBJECT_IN_USE) throw error;
    await client.query(`drop database if exists "${database}" with (force)`);
  }
}

let count = 0;
function nextNumber(): number {
  count += 1;
  return count;
}

/** A migration executes text of other files, which its function does not show; a run of `tap repl` outlives their changes. */
const sources = globSync(join(import.meta.dirname, '../../server/*/migrations/**/*.ts'))
  .sort()
  .map((file) => readFileSync(file, 'utf8'));

/** Created once by the first process; the others wait for its lock. */
async function makeTemplate(server: string, services: readonly Tables[]): Promise<string> {
  const steps = services.flatMap(({ schema, migrations }) => [
    schema,
    ...Object.entries(migrations).map(([name, { up }]) => `${name} ${up}`),
  ]);
  const hash = createHash('sha256')
    .update([...sources, ...steps].join('\n'))
    .digest('hex');
  const template = `template_${hash.slice(0, 16)}`;
  await onServer(server, async (client) => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [template]);
    const found = await client.query('select from pg_database where datname = $1', [template]);
    if (found.rowCount) return;
    const draft = `${template}_draft`;
    await client.query(`drop database if exists "${draft}" with (force)`);
    await client.query(`create database "${draft}" template template0`);
    for (const tables of services) await migrateTemplate(databaseUrl(server, draft), tables);
    await client.query(`alter database "${draft}" rename to "${template}"`);
  });
  return template;
}

async function migrateTemplate(url: string, { schema, migrations }: Tables): Promise<void> {
  const db = openKysely(openPool(url, { applicationName: 'test', schema, log: silentLog, max: 1 }));
  if (Object.keys(migrations).length > 0) await migrate({ db, schema, migrations, log: silentLog });
  await db.destroy();
}

/** Runs `work` with a connection to the server, which is closed afterwards. */
export async function onServer<Result>(
  server: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** URL of another database of a server. */
export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
