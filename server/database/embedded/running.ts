import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { findHome } from './home.ts';
import { databaseUrl } from './ready.ts';

/** Line of PostgreSQL's lock file that names the folder of its socket, from 0. */
const SOCKET_LINE = 4;
const TIMEOUT_MS = 2000;

/** Whether a data folder has a database at all; nothing is made. */
export function hasDatabase(dataDir: string): boolean {
  return findHome(resolve(dataDir)) !== undefined;
}

/**
 * Address of the database that another program of the same user serves for a data folder, for a second program that
 * works beside it.
 * @returns undefined while none answers
 */
export async function runningDatabaseUrl(dataDir: string): Promise<string | undefined> {
  const dir = findHome(resolve(dataDir));
  const socketDir = dir === undefined ? undefined : socketOf(join(dir, 'cluster'));
  if (socketDir === undefined) return undefined;
  const url = databaseUrl({ socketDir });
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS });
  try {
    await client.connect();
    return url;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function socketOf(clusterDir: string): string | undefined {
  try {
    return readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')[SOCKET_LINE]?.trim();
  } catch {
    return undefined;
  }
}
