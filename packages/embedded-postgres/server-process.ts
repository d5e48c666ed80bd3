import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { totalmem } from 'node:os';
import { constrainedMemory } from 'node:process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { type Cluster, identity, SERVER_ENV } from './cluster.ts';
import { endWithProcess } from './end-with-process.ts';
import { startError } from './errors.ts';
import type { Log } from './log.ts';

/** A running server. `ended` resolves when it has ended for any reason. */
export interface ServerProcess {
  pid: number;
  ended: Promise<void>;
  /** Last lines of its output, newest last. */
  lastLines: readonly string[];
  stop(): Promise<void>;
}

const KEPT_LINES = 20;
const FAST_STOP_MS = 30_000;

/** All settings for durability have PostgreSQL's defaults. */
const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // The working set is in memory, so random access through an index is cheap.
  random_page_cost: '1.1',
  // Keeps bitmaps exact in searches for frequent words among a million rows; with less they cover whole pages.
  work_mem: '16MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_line_prefix: '%p ',
  cluster_name: 'plugin-square',
};

/**
 * Starts the server of a cluster in its own session: Ctrl-C reaches every process of a terminal and must not end the database
 * before its clients.
 *
 * @param settings PostgreSQL settings that override the product's own
 * @throws start error when the program cannot be executed
 */
export async function startServerProcess(options: {
  cluster: Cluster;
  binaries: Binaries;
  account: Account;
  settings: Record<string, string>;
  log: Log;
}): Promise<ServerProcess> {
  const { cluster, binaries, account, log } = options;
  const child = spawn(binaries.postgres, ['-D', cluster.dir, ...serverArguments(cluster, options.settings)], {
    ...identity(account),
    cwd: cluster.dir,
    env: SERVER_ENV,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  endWithProcess(child, 'SIGINT');
  const pid = await spawned(child);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return { pid, ended, lastLines: readLines(child.stderr, log), stop: () => stop(child, ended) };
}

function serverArguments(cluster: Cluster, settings: Record<string, string>): string[] {
  const files = {
    hba_file: cluster.hbaFile,
    ident_file: cluster.identFile,
    unix_socket_directories: cluster.socketDir,
  };
  return Object.entries({ ...SETTINGS, shared_buffers: sharedBuffers(), ...files, ...settings }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  );
}

function spawned(child: ChildProcessByStdio<null, null, Readable>): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid ?? 0));
    child.once('error', (error) =>
      reject(
        startError(
          `PostgreSQL cannot be run on this system (${error.message}). ` +
            'Set DATABASE_URL to use a PostgreSQL of your own.',
          error,
        ),
      ),
    );
  });
}

function readLines(stream: Readable, log: Log): string[] {
  const lines: string[] = [];
  createInterface({ input: stream }).on('line', (line) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    if (/ (ERROR|FATAL|PANIC|WARNING): /.test(line)) log.warn({ line }, 'postgresql');
  });
  return lines;
}

async function stop(child: ChildProcessByStdio<null, null, Readable>, ended: Promise<void>): Promise<void> {
  child.kill('SIGINT');
  const timer = new AbortController();
  const tooLong = sleep(FAST_STOP_MS, undefined, { signal: timer.signal })
    .then(() => child.kill('SIGQUIT'))
    .catch(() => undefined);
  await ended;
  timer.abort();
  await tooLong;
}

const MIB = 2 ** 20;
/** Share of the memory, and bounds in MiB; the services and the file cache need memory too. */
const SHARE = 1 / 16;
const LEAST = 32;
const MOST = 1024;

/**
 * The setting shared_buffers. The server allocates the memory as pages are first read, so a small catalogue uses no more
 * than its own size.
 * @param memory bytes that this program may use, including a container's limit
 */
export function sharedBuffers(memory = usableMemory()): string {
  return `${Math.min(MOST, Math.max(LEAST, Math.floor((memory * SHARE) / MIB)))}MB`;
}

/** Without a limit, Node returns 0 or more than the memory of the machine. */
function usableMemory(): number {
  const limit = constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
