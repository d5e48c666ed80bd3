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

/** Ports that are tried: one of them, or the one of its cluster bus, may be taken meanwhile. */
const TRIES = 5;

/** Starts a Redis, or a Sentinel, on a port of its own, with these lines of configuration. */
export async function startRedisServer(
  t: Test,
  program: string,
  lines: readonly string[] = [],
): Promise<RedisServer> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const started = await tryToStart(t, program, lines);
    if (started) return started;
  }
  throw new Error(`${program} has ended ${TRIES} times`);
}

/** @returns undefined if it ends by itself */
async function tryToStart(
  t: Test,
  program: string,
  lines: readonly string[],
): Promise<RedisServer | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-redis-'));
  const port = await freePort();
  const file = join(folder, 'redis.conf');
  await writeFile(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...lines, ''].join('\n'));
  const child: ChildProcess = spawn(program, [file], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const client = new Redis({ port, enableReadyCheck: false, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  const kill = async (): Promise<void> => {
    client.disconnect();
    child.kill('SIGKILL');
    await ended;
  };
  t.teardown(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  const isUp = await Promise.race([client.ping().then(() => true), ended.then(() => false)]);
  if (isUp) return { port, client, kill };
  client.disconnect();
  return undefined;
}

/** A Redis without persistence. */
export function startMember(t: Test, program: string, lines: readonly string[] = []): Promise<RedisServer> {
  return startRedisServer(t, program, ['save ""', 'appendonly no', 'repl-diskless-sync-delay 0', ...lines]);
}

/** Waits until a replica has the data of its primary. */
export async function inSync({ client }: RedisServer): Promise<void> {
  await until(async () => (await client.info('replication')).includes('master_link_status:up'));
}
