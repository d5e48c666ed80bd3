import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../../support/port.ts';
import { until } from '../../../support/until.ts';

type Test = { teardown(work: () => Promise<void>): void };

export type RedisServer = {
  port: number;
  /** For the operator's commands. */
  client: Redis;
  /** Ends at once, as after a power failure. */
  kill(): Promise<void>;
};

/** Starts a Redis, or a Sentinel, on a port of its own, with these lines of configuration. */
export async function startRedisServer(
  t: Test,
  program: string,
  lines: readonly string[] = [],
): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-redis-'));
  const port = await freePort();
  const file = join(folder, 'redis.conf');
  await writeFile(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...lines, ''].join('\n'));
  const child: ChildProcess = spawn(program, [file], { stdio: 'ignore' });
  const client = new Redis({ port, enableReadyCheck: false, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  const kill = async (): Promise<void> => {
    client.disconnect();
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  t.teardown(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  await client.ping();
  return { port, client, kill };
}

/** A Redis without persistence. */
export function startMember(t: Test, program: string, lines: readonly string[] = []): Promise<RedisServer> {
  return startRedisServer(t, program, ['save ""', 'appendonly no', 'repl-diskless-sync-delay 0', ...lines]);
}

/** Waits until a replica has the data of its primary. */
export async function inSync({ client }: RedisServer): Promise<void> {
  await until(async () => (await client.info('replication')).includes('master_link_status:up'));
}
