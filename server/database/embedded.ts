import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { currentAccount } from './embedded/account.ts';
import { provideBinaries } from './embedded/binaries.ts';
import { openCluster } from './embedded/cluster.ts';
import { makeDataDir, openHome } from './embedded/home.ts';
import { keepServing } from './embedded/keep-serving.ts';
import { startError } from './errors.ts';
import type { Log } from './pool.ts';

/** A PostgreSQL of our own, running. */
export interface EmbeddedPostgres {
  /** Address of the product's database. */
  url: string;
  /** Folder that holds the database; outside the data folder when root started it. */
  dir: string;
  /** Process id of the server. */
  readonly pid: number;
  /** Ends the server, its connections with it, and gives the data folder free. Resolves when it is gone. */
  stop(): Promise<void>;
}

/** Where root's databases and the programs that serve them lie. */
const STAGING_DIR = '/var/lib/plugin-square';

/**
 * Starts the PostgreSQL that comes with the product on the database kept in `dataDir`, which is made if missing.
 * A server left by a killed program is stopped first; a server that ends unasked is started again.
 *
 * @param settings PostgreSQL settings beside the product's own, by name
 * @throws start error with one line to show, when the folder is unwritable, in use by another program, or the
 * database cannot run here
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: Log;
  settings?: Record<string, string>;
  stagingDir?: string;
}): Promise<EmbeddedPostgres> {
  const { log, settings = {}, stagingDir = STAGING_DIR } = options;
  const launcher = currentAccount();
  makeDataDir(resolve(options.dataDir));
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
/** How long a program that is just closing is waited for. */
const TIMEOUT_MS = 5000;

/** A data folder held by this process until `release` is called or the process ends in any way. */
interface DataLock {
  release(): void;
}

/**
 * Takes the data folder for this process alone.
 *
 * Node has no file locks of its own; SQLite's exclusive transaction is one. The kernel keeps it, so it ends with
 * the process even after kill -9, is not fooled by a reused process id, and is seen across containers that share
 * the folder.
 *
 * @throws start error when another program holds the folder, or when the lock file cannot be written
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
  const held = lock;
  return {
    release() {
      if (!held.isOpen) return;
      rmSync(holderFile, { force: true });
      held.close();
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
