/**
 * Runs a PostgreSQL for as long as another process lives: `serve-database.ts <folder> <pid>`. Writes to the folder
 * the files `home`, path of the folder of what belongs to the databases, `tablespace`, for databases of tests, if there is one in
 * memory, and `url`, which may be that of TEST_DATABASE_URL, or why it did not start to `error`, and removes the folder at its
 * end.
 *
 * The cluster in `.tap/database` is kept with its templates, which take 30 seconds of a processor. Another run at the same
 * time has one of its own.
 */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@plugin-square/embedded-postgres';
import { onServer } from './database.ts';
import { silentLog } from './log.ts';
import { createMemoryTablespace, openMemoryFolder } from './memory-tablespace.ts';

/** Test data is temporary, so nothing needs to be durable. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };
const LOOK_EVERY = 500;

const [, , folder = '', owner = ''] = process.argv;
const KEPT = join(import.meta.dirname, '../../.tap/database');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

/** Others read a file as soon as it exists. */
async function tell(name: string, text: string): Promise<void> {
  const path = join(folder, name);
  await writeFile(`${path}.part`, text);
  await rename(`${path}.part`, path);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function ownerEnds(): Promise<void> {
  while (isAlive(Number(owner))) await delay(LOOK_EVERY);
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  await mkdir(dataDir, { recursive: true });
  await openMemoryFolder(dataDir);
  return startEmbeddedPostgres({ dataDir, settings: FAST, log: silentLog });
}

/** Databases of tests that a killed run has left. */
async function dropLeftovers(url: string): Promise<void> {
  await onServer(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select datname as name from pg_database where datname ~ '_\\d+_\\d+$' or datname ~ '_draft$'",
    );
    for (const { name } of rows) await client.query(`drop database "${name}" with (force)`);
  });
}

async function serve(): Promise<void> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined) {
    await tell('home', folder);
    await tell('url', given);
    return ownerEnds();
  }
  const kept = await start(KEPT).catch(() => undefined);
  const home = kept ? KEPT : join(folder, 'data');
  const server = kept ?? (await start(home));
  await dropLeftovers(server.url);
  const memory = await createMemoryTablespace(server.url, home);
  await tell('home', home);
  if (memory) await tell('tablespace', memory.name);
  await tell('url', server.url);
  await ownerEnds();
  await dropLeftovers(server.url);
  await memory?.remove();
  await server.stop();
  if (!kept) await rm(server.dir, { recursive: true, force: true });
}

await serve().catch(async (error: unknown) => {
  await tell('error', String(error));
  await ownerEnds();
});
await rm(folder, { recursive: true, force: true });
