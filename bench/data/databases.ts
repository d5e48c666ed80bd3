import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@plugin-square/embedded-postgres';
import pg from 'pg';
import { pino } from 'pino';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../server/community/migrations.ts';
import { migrate } from '../../server/database/migrate.ts';
import { openKysely, openPool } from '../../server/database/pool.ts';
import { fillDatabase } from './fill.ts';
import type { Size } from './plugin.ts';

const silentLog = pino({ level: 'silent' });
/** Outside the checkout, because a million plugins need some gigabytes. */
const DATA_DIR = join(import.meta.dirname, '../../../data/bench');
const MIGRATIONS = join(import.meta.dirname, '../../server/community/migrations');

/** A PostgreSQL server with the product's settings, whose databases are reused by later benches. */
export type StoredDatabases = {
  /** URL of the database of this size, which is created if it is missing. */
  database(size: Size, onStep?: (step: string) => void): Promise<string>;
  /** URL of a copy that may be changed; it is dropped when the server stops. */
  copy(size: Size): Promise<string>;
  /** URL of an empty database, which is dropped too. */
  empty(): Promise<string>;
  stop(): Promise<void>;
};

export async function openStoredDatabases(): Promise<StoredDatabases> {
  mkdirSync(DATA_DIR, { recursive: true });
  const server = await startEmbeddedPostgres({ dataDir: DATA_DIR, log: silentLog });
  const copies: string[] = [];
  return {
    database: (size, onStep) => provideDatabase(server.url, size, onStep),
    async copy(size) {
      await provideDatabase(server.url, size);
      const name = `copy_${size.count}_${process.pid}_${copies.length}`;
      copies.push(name);
      await run(server.url, `create database ${name} template ${nameOf(size)}`);
      return databaseUrl(server.url, name);
    },
    async empty() {
      const name = `empty_${process.pid}_${copies.length}`;
      copies.push(name);
      await run(server.url, `create database ${name}`);
      return databaseUrl(server.url, name);
    },
    async stop() {
      for (const name of copies) await run(server.url, `drop database ${name}`);
      await server.stop();
    },
  };
}

async function run(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** The name has a hash of everything that determines the rows, so that outdated databases are not used. */
export function nameOf({ count, waiting }: Size): string {
  const files = ['plugin.ts', 'rows.ts', 'texts.ts', 'words.json', 'derived.ts'];
  const migrations = readdirSync(MIGRATIONS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => join(MIGRATIONS, file));
  const texts = [...migrations, ...files.map((file) => join(import.meta.dirname, file))];
  const hash = createHash('sha256')
    .update(texts.map((file) => readFileSync(file, 'utf8')).join('\n'))
    .digest('hex')
    .slice(0, 8);
  return `plugins_${count}_${waiting}_${hash}`;
}

async function provideDatabase(
  serverUrl: string,
  size: Size,
  onStep?: (step: string) => void,
): Promise<string> {
  const name = nameOf(size);
  const url = databaseUrl(serverUrl, name);
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (!rowCount) {
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${draft}`);
    await client.query(`create database ${draft}`);
    await migrateDatabase(databaseUrl(serverUrl, draft));
    await fillDatabase(databaseUrl(serverUrl, draft), size, onStep);
    await client.query(`alter database ${draft} rename to ${name}`);
  }
  await client.end();
  return url;
}

export async function migrateDatabase(url: string): Promise<void> {
  const pool = openPool(url, { applicationName: 'bench', schema: COMMUNITY_SCHEMA, log: silentLog, max: 1 });
  const db = openKysely(pool);
  await migrate({ db, schema: COMMUNITY_SCHEMA, migrations: communityMigrations, log: silentLog });
  await db.destroy();
}

function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
