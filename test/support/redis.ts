import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endChild } from './child-process.ts';
import { installedProgram, notInstalled } from './programs.ts';
import { until } from './until.ts';

export type TestRedis = {
  /** Path of its socket, for REDIS_URL. */
  url: string;
  start(...options: string[]): Promise<void>;
  /** Ends immediately like after a power failure, and loses its data. */
  kill(): Promise<void>;
  /** Hangs: connections stay open without responses. */
  pause(): void;
  resume(): void;
};

/** The installed Redis or Valkey. */
export function redisProgram(): string | undefined {
  return installedProgram('redis-server', 'valkey-server');
}

/** Message of a test that is skipped without Redis. */
export const NO_REDIS = notInstalled('redis-server', 'redis-server');

/** Its socket exists before it listens. */
async function accepts(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Starts a separate Redis for a test on a socket in its own folder. */
export async function startRedis(
  t: { teardown(work: () => Promise<void>): void },
  program: string,
): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-redis-'));
  const url = join(folder, 'redis.sock');
  let child: ChildProcess | undefined;

  async function start(...options: string[]): Promise<void> {
    const args = [
      '--port',
      '0',
      '--unixsocket',
      url,
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
      ...options,
    ];
    child = spawn(program, args, { stdio: 'ignore' });
    await until(() => accepts(url));
  }
  async function kill(): Promise<void> {
    if (!child) return;
    await endChild(child, 'SIGKILL');
    await rm(url, { force: true });
  }
  t.teardown(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  await start();
  return {
    url,
    start,
    kill,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
  };
}
