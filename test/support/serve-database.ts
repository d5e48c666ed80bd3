/**
 * Runs a temporary PostgreSQL for as long as another process lives: `serve-database.ts <folder> <pid>`. Writes its URL, or
 * that of TEST_DATABASE_URL, to the folder's file `url`, or why it did not start to `error`, and removes the folder at its
 * end.
 */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../server/database/embedded.ts';
import { silentLog } from './log.ts';

/** Test data is temporary, so nothing needs to be durable. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };
const LOOK_EVERY = 500;

const [, , folder = '', owner = ''] = process.argv;
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

async function serve(): Promise<void> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined) {
    await tell('url', given);
    return ownerEnds();
  }
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const server = await startEmbeddedPostgres({ dataDir, settings: FAST, log: silentLog });
  await tell('url', server.url);
  await ownerEnds();
  await server.stop();
  await rm(server.dir, { recursive: true, force: true });
}

await serve().catch(async (error: unknown) => {
  await tell('error', String(error));
  await ownerEnds();
});
await rm(folder, { recursive: true, force: true });
