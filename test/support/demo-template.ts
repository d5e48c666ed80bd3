import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { publishDemo } from '../../server/community/demo/publish-demo.ts';
import { openFolderStore } from '../../server/community/media/files.ts';
import { COMMUNITY_SCHEMA } from '../../server/community/migrations.ts';
import { prepareCommunity } from '../../server/community/prepare.ts';
import type { CommunityTables } from '../../server/community/schema.ts';
import { migrate } from '../../server/database/migrate.ts';
import { openKysely, openPool } from '../../server/database/pool.ts';
import { identityMigrations } from '../../server/identity/migrations.ts';
import { SCHEMA as IDENTITY_SCHEMA } from '../../server/identity/schema.ts';
import { databaseUrl, onServer } from './database.ts';
import { runServer } from './database-server.ts';

/** A database and the folder of its files, both to be copied. */
type DemoTemplate = { database: string; files: string };

const DATABASE = 'demo_template';
const DRAFT = 'demo_draft';
/** stdout is the report of the tests. */
const log = pino({ level: 'warn' }, pino.destination(2));

let template: Promise<DemoTemplate> | undefined;

/**
 * The demo catalogue with pictures and packages, and the tables of identity. The first test of a run that asks for it makes
 * it; others wait.
 */
export function demoTemplate(): Promise<DemoTemplate> {
  template ??= provide();
  return template;
}

async function provide(): Promise<DemoTemplate> {
  const { url, folder } = await runServer();
  const files = join(folder, 'demo');
  await onServer(url, async (client) => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [DATABASE]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount) return;
    await client.query(`create database ${DRAFT} template template0`);
    await mkdir(files);
    await fill(databaseUrl(url, DRAFT), files);
    await client.query(`alter database ${DRAFT} rename to ${DATABASE}`);
  });
  return { database: DATABASE, files };
}

async function fill(url: string, dataDir: string): Promise<void> {
  const pool = openPool(url, { applicationName: 'demo', schema: COMMUNITY_SCHEMA, log });
  const db = openKysely<CommunityTables>(pool);
  const options = { log, now: Date.now, dataDir };
  await prepareCommunity({ ...options, pool, seed: 'demo' });
  await migrate({ db, schema: IDENTITY_SCHEMA, migrations: identityMigrations, log });
  const { signal } = new AbortController();
  await publishDemo({ ...options, db, files: openFolderStore(dataDir) }, { signal });
  await pool.end();
}
