import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { currentAccount } from './account.ts';
import { provideBinaries } from './binaries.ts';
import { openCluster } from './cluster.ts';
import { startError } from './errors.ts';
import { createDataDir, openHome } from './home.ts';
import { keepServing } from './keep-serving.ts';
import type { Log } from './log.ts';

/** A running embedded PostgreSQL. */
export interface EmbeddedPostgres {
  /** URL of the product's database. */
  url: string;
  /** Folder of the database; outside the data folder when root started it. */
  dir: string;
  /** Process id of the server. */
  readonly pid: number;
  /** Stops the server with its connections, and releases the data folder. */
  stop(): Promise<void>;
}

/** Folder of databases that root starts, and of their programs. */
const STAGING_DIR = '/var/lib/plugin-square';

/**
 * Starts the embedded PostgreSQL on the database in `dataDir`, which is created if missing. A server that a killed program
 * left running is stopped first; a server that ends unexpectedly is restarted.
 *
 * @param settings additional PostgreSQL settings, by name
 * @throws start error when the folder is not writable or in use by another program, or the database cannot run here
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: Log;
  settings?: Record<string, string>;
  stagingDir?: string;
}): Promise<EmbeddedPostgres> {
  const { log, settings = {}, stagingDir = STAGING_DIR } = options;
  const launcher = currentAccount();
  createDataDir(resolve(options.dataDir));
  const dataDir = realpathSync(options.dataDir);
  const lock = lockDataDir(dataDir);
  try {
    const binaries = await provideBinaries(launcher.uid === 0 ? stagingDir : undefined);
    const home = openHome(dataDir, launcher, stagingDir);
    const cluster = await openCluster(home, binaries, launcher);
    const server = await keepServing({ cluster, binaries, account: home.account, settings, log });
    return {
      url: server.url,
      dir: home.dir,
      get pid() {
        return server.pid();
      },
      stop: () => server.stop().finally(() => lock.release()),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

const SQLITE_BUSY = 5;
/** Time for a previous process to end. */
const TIMEOUT_MS = 5000;

/** A lock on a data folder, until `release` is called or the process ends in any way. */
interface DataLock {
  release(): void;
}

/**
 * Locks the data folder for this process.
 *
 * Node has no file locks, but an exclusive transaction of SQLite is one. The kernel releases it with the process, even after
 * kill -9; it does not depend on process ids, and works across containers that share the folder.
 *
 * @throws start error when another program has the lock, or the lock file cannot be written
 */
function lockDataDir(dataDir: string): DataLock {
  const holderFile = join(dataDir, 'database.pid');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(dataDir, 'database.lock'), { timeout: TIMEOUT_MS });
    lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(holderFile, `${process.pid}\n`);
  } catch (error) {
    lock?.close();
    if (isBusy(error)) throw startError(inUse(dataDir, holderFile), error);
    throw startError(`The data folder ${dataDir} cannot be written (${describe(error)}).`, error);
  }
  const acquired = lock;
  return {
    release() {
      if (!acquired.isOpen) return;
      rmSync(holderFile, { force: true });
      acquired.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function inUse(dataDir: string, holderFile: string): string {
  return (
    `The data folder ${dataDir} is in use by another Plugin Square${holder(holderFile)}. ` +
    'Stop that one first, or choose another folder with DATA_DIR.'
  );
}

function holder(holderFile: string): string {
  try {
    return ` (process ${readFileSync(holderFile, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
