import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../server/community/migrations.ts';
import { startEmbeddedPostgres } from '../../server/database/embedded.ts';
import { migrate } from '../../server/database/migrate.ts';
import { openKysely, openPool } from '../../server/database/pool.ts';
import { fillDatabase } from './fill.ts';
import type { Size } from './plugin.ts';

const silentLog = pino({ level: 'silent' });
/** Not in the tree; a million plugins take some gigabytes. */
const KEPT_DIR = join(import.meta.dirname, '../../../data/bench');

/** A PostgreSQL with the product's own settings, whose databases stay for the next bench. */
export type KeptServer = {
  /** Address of the database of so many plugins, which is filled if it is not there. */
  database(size: Size, told?: (step: string) => void): Promise<string>;
  /** Address of a copy that may be changed; it goes when the server stops. */
  copy(size: Size): Promise<string>;
  /** Address of a database with nothing in it, which goes as well. */
  empty(): Promise<string>;
  stop(): Promise<void>;
};

export async function openKeptServer(): Promise<KeptServer> {
  mkdirSync(KEPT_DIR, { recursive: true });
  const server = await startEmbeddedPostgres({ dataDir: KEPT_DIR, log: silentLog });
  const copies: string[] = [];
  return {
    database: (size, told) => keep(server.url, size, told),
    async copy(size) {
      await keep(server.url, size);
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

/** Whatever decides which rows there are is in the name, so that nothing old is taken for it. */
export function nameOf({ count, waiting }: Size): string {
  const files = ['plugin.ts', 'rows.ts', 'texts.ts', 'words.json', 'derived.ts'];
  const steps = Object.entries(communityMigrations).map(([name, { up }]) => `${name} ${up}`);
  const texts = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));
  const made = createHash('sha256')
    .update([...steps, ...texts].join('\n'))
    .digest('hex')
    .slice(0, 8);
  return `plugins_${count}_${waiting}_${made}`;
}

async function keep(serverUrl: string, size: Size, told?: (step: string) => void): Promise<string> {
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
    await fillDatabase(databaseUrl(serverUrl, draft), size, told);
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
