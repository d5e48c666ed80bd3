import type { Config } from '../config.ts';
import { hasDatabase, runningDatabaseUrl } from '../database/embedded/running.ts';
import { startEmbeddedPostgres } from '../database/embedded.ts';
import type { Log } from '../database/log.ts';
import type { Pool } from '../database/pool.ts';
import { startError } from '../database/start-error.ts';

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
