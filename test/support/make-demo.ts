/**
 * Creates the demo catalogue with pictures and packages and the tables of the identity service once per run, and prints as one
 * line of JSON the database to copy and the folder of its files. Its argument is the URL of the server.
 */

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
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

const DATABASE = 'demo_template';
/** Errors are logged to stderr, because stdout is the result. */
const log = pino({ level: 'warn' }, pino.destination(2));

const [, , serverUrl = ''] = process.argv;
const client = new pg.Client({ connectionString: serverUrl });
await client.connect();
await client.query(`create database ${DATABASE} template template0`);
await client.end();

const url = new URL(serverUrl);
url.pathname = `/${DATABASE}`;
const pool = openPool(url.href, { applicationName: 'demo', schema: COMMUNITY_SCHEMA, log });
const dataDir = await mkdtemp(join(tmpdir(), 'plugin-square-demo-'));
const options = { log, now: Date.now, dataDir };
await prepareCommunity({ ...options, pool, seed: 'demo' });
const db = openKysely<CommunityTables>(pool);
await migrate({ db, schema: IDENTITY_SCHEMA, migrations: identityMigrations, log });
await publishDemo(
  { ...options, db, files: openFolderStore(dataDir) },
  { signal: new AbortController().signal },
);
await pool.end();
process.stdout.write(`${JSON.stringify({ database: DATABASE, dataDir })}\n`);
