import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ADMIN_ROLE, APP_ROLE, type Cluster } from './cluster.ts';
import { startError } from './errors.ts';
import { findHome } from './home.ts';
import type { Log } from './log.ts';
import type { ServerProcess } from './server-process.ts';

const PORT = 5432;
const DATABASE = 'plugin_square';
const POLL_MS = 20;
const SLOW_MS = 10_000;
/** Line numbers of socket folder and state in PostgreSQL's lock file, from 0. */
const SOCKET_LINE = 4;
const STATE_LINE = 7;

/** URL of the product's database on a cluster. */
export function databaseUrl(cluster: Pick<Cluster, 'socketDir'>): string {
  return clusterUrl(cluster, APP_ROLE, DATABASE);
}

/**
 * Waits until the server accepts connections, without a timeout because recovery after a crash may take long, and creates
 * the product's role and database if they are missing.
 *
 * @throws start error with PostgreSQL's message when the server ends instead
 */
export async function becomeReady(server: ServerProcess, cluster: Cluster, log: Log): Promise<void> {
  const client = await connect(server, cluster, log);
  try {
    await createRole(client);
    await createDatabase(client);
  } finally {
    await client.end();
  }
}

async function connect(server: ServerProcess, cluster: Cluster, log: Log): Promise<pg.Client> {
  let hasEnded = false;
  server.ended.then(() => {
    hasEnded = true;
  });
  let nextNotice = performance.now() + SLOW_MS;
  while (!hasEnded) {
    if (isReady(cluster)) {
      const client = new pg.Client({ connectionString: clusterUrl(cluster, ADMIN_ROLE, 'postgres') });
      await client.connect();
      return client;
    }
    if (performance.now() > nextNotice) {
      log.info('the database is still starting');
      nextNotice += SLOW_MS;
    }
    await sleep(POLL_MS);
  }
  throw startError(`The database did not start: ${reason(server.lastLines)}`);
}

/** Reads the lock file, because the server logs an early connection as an error. */
function isReady({ dir }: Cluster): boolean {
  return lockFileLine(dir, STATE_LINE) === 'ready';
}

async function createRole(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [APP_ROLE]);
  if (!rowCount) await client.query(`create role ${client.escapeIdentifier(APP_ROLE)} login createdb`);
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
  if (rowCount) return;
  const [name, owner] = [client.escapeIdentifier(DATABASE), client.escapeIdentifier(APP_ROLE)];
  await client.query(`create database ${name} owner ${owner}`);
}

function clusterUrl({ socketDir }: Pick<Cluster, 'socketDir'>, role: string, database: string): string {
  return `postgres://${role}@localhost:${PORT}/${database}?host=${encodeURIComponent(socketDir)}`;
}

function reason(lines: readonly string[]): string {
  const messages = lines.map((line) => line.replace(/^\d+ /, ''));
  return (
    messages.findLast((line) => line.startsWith('FATAL:')) ?? messages.at(-1) ?? 'it ended without a message'
  );
}

const TIMEOUT_MS = 2000;

/**
 * URL of the embedded database that another program of the same user runs for a data folder.
 * @returns undefined if none accepts a connection
 */
export async function runningDatabaseUrl(dataDir: string): Promise<string | undefined> {
  const dir = findHome(resolve(dataDir));
  const socketDir = dir === undefined ? undefined : lockFileLine(join(dir, 'cluster'), SOCKET_LINE);
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

function lockFileLine(clusterDir: string, line: number): string | undefined {
  try {
    return readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')[line]?.trim();
  } catch {
    return undefined;
  }
}
