import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { currentAccount } from './embedded/account.ts';
import { provideBinaries } from './embedded/binaries.ts';
import { openCluster } from './embedded/cluster.ts';
import { lockDataDir } from './embedded/data-lock.ts';
import { makeDataDir, openHome } from './embedded/home.ts';
import { keepServing } from './embedded/keep-serving.ts';
import type { Log } from './log.ts';

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
