import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import { startError } from './errors.ts';
import type { Log } from './log.ts';
import { becomeReady, databaseUrl } from './ready.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/** A server that is restarted when it ends unexpectedly. */
interface Serving {
  url: string;
  pid(): number;
  stop(): Promise<void>;
}

interface ServingOptions {
  cluster: Cluster;
  binaries: Binaries;
  account: Account;
  settings: Record<string, string>;
  log: Log;
}

const ATTEMPTS = 10;
const PAUSE_MS = 300;
/** Delay after a failed restart. */
const RETRY_MS = 1000;

/**
 * Runs the server of a cluster until `stop` is called.
 *
 * @throws start error when the first start fails
 */
export async function keepServing(options: ServingOptions): Promise<Serving> {
  const { cluster, log } = options;
  let stopping = false;
  let server = await serve(options);
  const watching = watch();

  async function watch(): Promise<void> {
    for (;;) {
      await server.ended;
      if (stopping) return;
      log.error({ lines: server.lastLines }, 'the database ended and is started again');
      const again = await serveAgain();
      if (!again) return;
      server = again;
      if (stopping) return server.stop();
    }
  }

  /** Retries until it starts or is stopped, because the reason, such as a full disk, may be temporary. */
  async function serveAgain(): Promise<ServerProcess | undefined> {
    for (let pause = PAUSE_MS; ; pause = RETRY_MS) {
      await sleep(pause);
      if (stopping) return undefined;
      try {
        const started = await serve(options);
        if (pause === RETRY_MS) log.info('the database has started again');
        return started;
      } catch (error) {
        if (pause === PAUSE_MS)
          log.error({ err: error }, 'the database does not start and is tried every second');
      }
    }
  }

  return {
    url: databaseUrl(cluster),
    pid: () => server.pid,
    async stop() {
      stopping = true;
      await server.stop();
      await watching;
    },
  };
}

/** Retries while processes of a killed server still use its shared memory. */
async function serve(options: ServingOptions): Promise<ServerProcess> {
  const { cluster, log } = options;
  for (let attempt = 1; ; attempt += 1) {
    if (await stopLeftover(cluster)) log.warn('stopped a database server that an earlier run left behind');
    const server = await startServerProcess(options);
    try {
      await becomeReady(server, cluster, log);
      return server;
    } catch (error) {
      await server.stop();
      if (attempt === ATTEMPTS || !server.lastLines.some((line) => line.includes('shared memory block')))
        throw error;
    }
    await sleep(PAUSE_MS);
  }
}

const STEPS: { signal: NodeJS.Signals; timeoutMs: number }[] = [
  { signal: 'SIGINT', timeoutMs: 30_000 },
  { signal: 'SIGQUIT', timeoutMs: 10_000 },
];

/**
 * Stops a server that a killed program left running on this cluster, and deletes stale lock files. The caller must have
 * locked the data folder, so that no other program uses that server.
 *
 * PostgreSQL trusts the process id in its lock file, which may belong to another program after a restart of the machine or
 * container; here the command line of that process must also contain the path of this cluster.
 *
 * @returns whether a server was running
 * @throws start error when it does not stop
 */
async function stopLeftover(cluster: Cluster): Promise<boolean> {
  const pidFile = join(cluster.dir, 'postmaster.pid');
  const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : 0;
  const running = serves(pid, cluster.dir);
  for (const { signal, timeoutMs } of STEPS) {
    if (!serves(pid, cluster.dir)) break;
    process.kill(pid, signal);
    await waitForEnd(timeoutMs, pid, cluster.dir);
  }
  if (serves(pid, cluster.dir))
    throw startError(`A database server left running (process ${pid}) does not stop.`);
  rmSync(pidFile, { force: true });
  for (const name of readdirSync(cluster.socketDir)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(cluster.socketDir, name), { force: true });
  }
  return running;
}

async function waitForEnd(timeoutMs: number, pid: number, clusterDir: string): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (performance.now() < end && serves(pid, clusterDir)) await sleep(20);
}

function serves(pid: number, clusterDir: string): boolean {
  return pid > 0 && commandLine(pid).includes(clusterDir);
}

/** Empty for a process that has ended, including a zombie. */
function commandLine(pid: number): string {
  try {
    if (platform() === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
