import { chown, mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedPostgres } from '@plugin-square/embedded-postgres';
import { onServer } from './database.ts';

const NAME = 'in_memory';
/** Linux keeps files there in memory. In containers it is often too small. */
const MEMORY = '/dev/shm';
/** Bytes that databases of a run may need. */
const NEEDED = 4 * 2 ** 30;

/** Where databases of tests are created: a copy of a template takes 30 ms in memory, and 130 ms or more on a disk. */
export type MemoryTablespace = { name: string; remove(): Promise<void> };

/** Creates it, after the one of a killed run is removed; undefined where there is too little memory. */
export async function createMemoryTablespace(
  server: Pick<EmbeddedPostgres, 'url' | 'dir'>,
): Promise<MemoryTablespace | undefined> {
  const url = new URL(server.url);
  const owner = url.username;
  url.username = 'postgres';
  const remove = (): Promise<void> => removeTablespace(url.href);
  await remove();
  if (!(await hasRoom())) return undefined;
  const folder = await mkdtemp(join(MEMORY, 'plugin-square-'));
  const { uid, gid } = await stat(join(server.dir, 'cluster'));
  await chown(folder, uid, gid);
  await onServer(url.href, (client) =>
    client.query(`create tablespace ${NAME} owner ${owner} location '${folder}'`),
  );
  return { name: NAME, remove };
}

async function hasRoom(): Promise<boolean> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  return memory !== undefined && memory.bavail * memory.bsize >= NEEDED;
}

async function removeTablespace(url: string): Promise<void> {
  await onServer(url, async (client) => {
    const { rows } = await client.query<{ folder: string }>(
      'select pg_tablespace_location(oid) as folder from pg_tablespace where spcname = $1',
      [NAME],
    );
    for (const { folder } of rows) {
      await client.query(`drop tablespace ${NAME}`);
      await rm(folder, { recursive: true, force: true });
    }
  });
}
