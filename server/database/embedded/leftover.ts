import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startError } from '../start-error.ts';
import type { Cluster } from './cluster.ts';

const STEPS: { signal: NodeJS.Signals; patienceMs: number }[] = [
  { signal: 'SIGINT', patienceMs: 30_000 },
  { signal: 'SIGQUIT', patienceMs: 10_000 },
];

/**
 * Stops a server that a killed parent left running on this cluster, and clears the lock files of one that is gone.
 * Call it only while holding the data folder: then nobody else can be using that server.
 *
 * PostgreSQL trusts the process id in its lock file, which after a restart of the machine or container may be
 * another program's; here the id counts only when its command line names this cluster.
 *
 * @returns whether a server was running
 * @throws start error when it does not stop
 */
export async function stopLeftover(cluster: Cluster): Promise<boolean> {
  const pidFile = join(cluster.dir, 'postmaster.pid');
  const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : 0;
  const running = serves(pid, cluster.dir);
  for (const { signal, patienceMs } of STEPS) {
    if (!serves(pid, cluster.dir)) break;
    process.kill(pid, signal);
    await goneWithin(patienceMs, pid, cluster.dir);
  }
  if (serves(pid, cluster.dir))
    throw startError(`A database server left running (process ${pid}) does not stop.`);
  rmSync(pidFile, { force: true });
  for (const name of readdirSync(cluster.socketDir)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(cluster.socketDir, name), { force: true });
  }
  return running;
}

async function goneWithin(patienceMs: number, pid: number, clusterDir: string): Promise<void> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end && serves(pid, clusterDir)) await sleep(20);
}

function serves(pid: number, clusterDir: string): boolean {
  return pid > 0 && commandLine(pid).includes(clusterDir);
}

/** Empty for a process that is gone, and for one that has ended but was not yet collected by its parent. */
function commandLine(pid: number): string {
  try {
    if (platform() === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
