import type { PoolClient } from 'pg';
import type { CommunityTables, Db } from '../community/schema.ts';
import type { Config } from '../config.ts';
import { hasDatabase } from '../database/embedded/home.ts';
import { runningDatabaseUrl } from '../database/embedded/ready.ts';
import { startEmbeddedPostgres } from '../database/embedded.ts';
import { startError } from '../database/errors.ts';
import { type Log, openKysely, openPool, type Pool } from '../database/pool.ts';

type Where = Pick<Config, 'databaseUrl' | 'dataDir'>;

/**
 * Works on the database that is configured, that a running service has, or that lies in the data folder, started for
 * now.
 * @param mayMake whether a data folder without a database gets one
 * @throws start error when there is none
 */
export async function withDatabase<T>(
  { databaseUrl, dataDir }: Where,
  { log, mayMake = false }: { log: Log; mayMake?: boolean },
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== undefined) return work(databaseUrl);
  if (!mayMake && !hasDatabase(dataDir))
    throw startError(`There is no database in the data folder ${dataDir}.`);
  const running = await runningDatabaseUrl(dataDir);
  if (running !== undefined) return work(running);
  const own = await startEmbeddedPostgres({ dataDir, log });
  return work(own.url).finally(() => own.stop());
}

/** A pool says it has ended when it has told its connections to; the database must not stop before they are gone. */
export async function withPool<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    let left = pool.totalCount;
    const gone = new Promise<void>((resolve) => {
      if (left === 0) resolve();
      pool.on('remove', () => {
        left -= 1;
        if (left === 0) resolve();
      });
    });
    await pool.end();
    await gone;
  }
}

/** One connection in its two shapes: for queries, and for COPY. */
export type Connection = { db: Db; client: PoolClient };

/** Opens a connection without a limit to the time of its statements, and ends it. */
export async function withConnection<T>(
  url: string,
  { name, schema, log }: { name: string; schema: string; log: Log },
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const applicationName = `plugin-square ${name}`;
  const pool = openPool(url, { applicationName, schema, log, max: 1, statementTimeoutMs: 0 });
  let client: PoolClient | undefined;
  pool.once('connect', (made) => {
    client = made;
  });
  return withPool(pool, () =>
    openKysely<CommunityTables>(pool, { timeoutMs: 0 })
      .connection()
      .execute(async (db) => {
        if (!client) throw new Error('the database gave no connection');
        return work({ db, client });
      }),
  );
}
