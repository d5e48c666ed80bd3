import { hasDatabase, runningDatabaseUrl, startEmbeddedPostgres } from '@plugin-square/embedded-postgres';
import type { PoolClient } from 'pg';
import type { CommunityTables, Db } from '../community/schema.ts';
import type { Config } from '../config.ts';
import { startError } from '../database/errors.ts';
import { type Log, openKysely, openPool, type Pool } from '../database/pool.ts';

type Where = Pick<Config, 'databaseUrl' | 'dataDir'>;

/**
 * Calls `work` with the URL of the configured database, of the embedded one that a service runs, or of the embedded one in
 * the data folder, which is started for this call.
 * @param mayCreate whether to create the embedded database if there is none
 * @throws start error when there is no database
 */
export async function withDatabase<T>(
  { databaseUrl, dataDir }: Where,
  { log, mayCreate = false }: { log: Log; mayCreate?: boolean },
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== undefined) return work(databaseUrl);
  if (!mayCreate && !hasDatabase(dataDir))
    throw startError(`There is no database in the data folder ${dataDir}.`);
  const running = await runningDatabaseUrl(dataDir);
  if (running !== undefined) return work(running);
  const own = await startEmbeddedPostgres({ dataDir, log });
  return work(own.url).finally(() => own.stop());
}

/** Ends the pool and waits until its connections are closed, which `pool.end()` does not; only then may the database stop. */
export async function withPool<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    let left = pool.totalCount;
    const closed = new Promise<void>((resolve) => {
      if (left === 0) resolve();
      pool.on('remove', () => {
        left -= 1;
        if (left === 0) resolve();
      });
    });
    await pool.end();
    await closed;
  }
}

type Purpose = { name: string; schema: string; log: Log };

/** Three connections without a statement timeout: for a lock, for a transaction meanwhile, and for its progress. */
function openProgramPool(url: string, { name, schema, log }: Purpose): Pool {
  const applicationName = `plugin-square ${name}`;
  return openPool(url, { applicationName, schema, log, max: 3, statementTimeoutMs: 0 });
}

/** Calls `work` with queries that may take any time. */
export async function withQueries<T>(
  url: string,
  purpose: Purpose,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const pool = openProgramPool(url, purpose);
  return withPool(pool, () => work(openKysely<CommunityTables>(pool, { timeoutMs: 0 })));
}

/** One connection, for queries and for COPY, and another one of the same database. */
type Connection = { db: Db; client: PoolClient; other: Db };

/** The same with one connection for COPY. */
export async function withConnection<T>(
  url: string,
  purpose: Purpose,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const pool = openProgramPool(url, purpose);
  let client: PoolClient | undefined;
  pool.once('connect', (connected) => {
    client = connected;
  });
  const other = openKysely<CommunityTables>(pool, { timeoutMs: 0 });
  return withPool(pool, () =>
    other.connection().execute(async (db) => {
      if (!client) throw new Error('the database gave no connection');
      return work({ db, client, other });
    }),
  );
}
