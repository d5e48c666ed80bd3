import type { PoolClient } from 'pg';
import type { CommunityTables, Db } from '../community/schema.ts';
import type { Log } from '../database/log.ts';
import { openKysely, openPool } from '../database/pool.ts';
import { withPool } from './database.ts';

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
