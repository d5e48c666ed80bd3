import { createHash } from 'node:crypto';
import { chown, mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { currentAccount, serverAccount } from '../../packages/embedded-postgres/account.ts';
import { onServer } from './database.ts';

const NAME = 'in_memory';
/** Linux keeps files there in memory. In containers it is often too small. */
const MEMORY = '/dev/shm';
/** Bytes that databases of a run may need. */
const NEEDED = 4 * 2 ** 30;

/** Where databases of tests are created: a copy of a template takes 30 ms in memory, and 130 ms or more on a disk. */
export type MemoryTablespace = { name: string; remove(): Promise<void> };

/**
 * Makes the folder of the tablespace of a cluster, before the cluster starts: after a run that was killed PostgreSQL does not
 * start without it, and a restart of the machine has emptied the memory.
 * @returns its path; undefined where there is no such memory
 */
export async function openMemoryFolder(dataDir: string): Promise<string | undefined> {
  const cluster = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const folder = join(MEMORY, `plugin-square-${cluster}`);
  const { uid, gid } = process.getuid?.() === 0 ? serverAccount() : currentAccount();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chown(folder, uid, gid);
    return folder;
  } catch {
    return undefined;
  }
}

/**
 * Creates the tablespace, after the one of a killed run is removed with its databases' last files.
 * @param server url of a role of the embedded PostgreSQL, which owns the tablespace
 * @param dataDir of its cluster
 * @returns undefined where there is too little memory
 */
export async function createMemoryTablespace(
  server: string,
  dataDir: string,
): Promise<MemoryTablespace | undefined> {
  const folder = await openMemoryFolder(dataDir);
  if (folder === undefined) return undefined;
  const url = new URL(server);
  const owner = url.username;
  url.username = 'postgres';
  const run = (sql: string): Promise<unknown> => onServer(url.href, (client) => client.query(sql));
  const remove = async (): Promise<void> => {
    await run(`drop tablespace if exists ${NAME}`);
    await rm(folder, { recursive: true, force: true });
  };
  await remove();
  const { bavail, bsize } = await statfs(MEMORY);
  if (bavail * bsize < NEEDED) return undefined;
  await openMemoryFolder(dataDir);
  await run(`create tablespace ${NAME} owner ${owner} location '${folder}'`);
  return { name: NAME, remove };
}
