import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import t from 'tap';
import { aggregateMetrics } from '../../../server/workers/primary.ts';
import { scriptPeople } from '../../conformance/users.ts';
import { send } from '../../support/browser.ts';
import { hasEnded } from '../../support/child-process.ts';
import { freePort } from '../../support/port.ts';
import { NO_REDIS, redisProgram, startRedis, type TestRedis } from '../../support/redis.ts';
import { type StubUpstream, startStub } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';

const PROGRAM = join(import.meta.dirname, '../../../server/main.ts');
const LIST = '/api/cmt/plugin/list';
/** Uses a new connection: an ending process closes idle keep-alive connections. */
const CALL = { headers: { 'x-requested-with': 'plugin-square', connection: 'close' } };

const program = redisProgram();
const skip = program === undefined ? NO_REDIS : false;

type Running = {
  url: string;
  opsUrl: string;
  child: ChildProcess;
  ended: Promise<unknown>;
  log(): string;
  /** Process ids of the workers. */
  pids(): number[];
};

async function run(t: Parameters<typeof startStub>[0], settings: Record<string, string>): Promise<Running> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plugin-square-workers-'));
  const [port, opsPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, [PROGRAM], {
    env: {
      PATH: process.env.PATH,
      ROLE: 'gateway',
      WORKERS: '2',
      DATA_DIR: dataDir,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Not 'exit': the last lines of the log may be read after that.
  const ended = once(child, 'close').then(([code]) => code);
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  const pids = () =>
    execFileSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  const running = { url, opsUrl: `http://127.0.0.1:${opsPort}`, child, ended, log: () => text, pids };
  while (!hasEnded(child) && (await statusOf(running.opsUrl, '/readyz')) !== 200) await delay(50);
  return running;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const statusOf = (url: string, path: string): Promise<number> =>
  send(url, path, CALL).then(
    ({ status }) => status,
    () => 0,
  );

/** Requests that all processes have answered, by the metrics. */
async function counted(opsUrl: string): Promise<number> {
  const { text } = await send(opsUrl, '/metrics');
  const line = new RegExp(
    `^bff_http_request_duration_seconds_count\\{[^}]*route="${LIST}"[^}]*\\} (\\d+)`,
    'm',
  );
  return Number(line.exec(text)?.[1] ?? 0);
}

type Site = Running & { community: StubUpstream; redis: TestRedis };

async function openSite(t: Parameters<typeof startStub>[0]): Promise<Site> {
  const redis = await startRedis(t, program ?? '');
  const [community, identity] = [await startStub(t), await startStub(t)];
  scriptPeople(identity);
  community.on(`GET ${LIST}`, () => ({ total: 7 }));
  const settings = { COMMUNITY_URL: community.url, IDENTITY_URL: identity.url, REDIS_URL: redis.url };
  return { ...(await run(t, settings)), community, redis };
}

t.test('two processes on one port', { skip }, async (t) => {
  const { url, opsUrl, child, ended, log, pids } = await openSite(t);
  t.equal(pids().length, 2);
  const answers = await Promise.all(Array.from({ length: 40 }, () => statusOf(url, LIST)));
  t.strictSame(new Set(answers), new Set([200]));
  // A process that is slow to report is left out of the metrics.
  const all = await until(async () => {
    const count = await counted(opsUrl);
    return count >= 40 && count;
  });
  t.equal(all, 40, 'the metrics of both are aggregated');

  const [first = 0, second = 0] = pids();
  process.kill(first, 'SIGKILL');
  await until(() => !pids().includes(first));
  t.ok(pids().includes(second));
  // A connection that the first process accepted at its end is closed with it.
  const isServed = async () => (await statusOf(url, LIST)) === 200;
  t.ok((await isServed()) || (await isServed()), 'the other serves on');
  await until(() => pids().some((pid) => pid !== second));
  const replaced = new RegExp(`"pid":${first},.*"a gateway process has ended and is replaced"`);
  await until(() => replaced.test(log()));

  child.kill('SIGTERM');
  t.equal(await ended, 0);
  t.equal(await statusOf(url, LIST), 0);
  t.strictSame([first, second].filter(isRunning), []);
  t.match(log(), `"route":"${LIST}"`, 'the last lines were written');
});

t.test('R 9.31: /readyz names what is degraded in the workers', { skip }, async (t) => {
  const { opsUrl, redis } = await openSite(t);
  const readyz = async () => (await fetch(`${opsUrl}/readyz`)).text();
  t.equal(await readyz(), 'ok');
  await redis.kill();
  const down =
    'ok\ndegraded: Redis is unavailable: gateways share no ended sessions or limits, and refresh no tokens';
  await until(async () => (await readyz()) === down);
  await redis.start('--maxmemory-policy', 'allkeys-lru');
  const evicts =
    'ok\ndegraded: Redis evicts keys (maxmemory-policy allkeys-lru): ended sessions may return; set noeviction';
  await until(async () => (await readyz()) === evicts);
  await redis.kill();
  await redis.start();
  await until(async () => (await readyz()) === 'ok');
});

t.test('workers end with the primary process', { skip }, async (t) => {
  const { url, child, ended, pids } = await openSite(t);
  const serving = pids();
  child.kill('SIGKILL');
  await ended;
  await until(() => !serving.some(isRunning));
  t.equal(await statusOf(url, LIST), 0);
});

t.test('a worker that cannot start reports the reason, and so does the program', { skip }, async (t) => {
  const { ended, log } = await run(t, {
    COMMUNITY_URL: 'http://127.0.0.1:9',
    IDENTITY_URL: 'http://127.0.0.1:9',
    REDIS_URL: '/nonexistent/redis.sock',
    EXTRA_CMT_ROUTES: 'no route',
  });
  t.equal(await ended, 1);
  t.match(log(), 'EXTRA_CMT_ROUTES');
  t.match(log(), 'A gateway process could not start; see its own message.');
});

t.test('metrics leave out a worker whose channel is closed', async (t) => {
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'fixtures/close-channel.ts') });
  const worker = cluster.fork();
  const ended = once(worker.process, 'exit');
  t.teardown(async () => {
    worker.process.kill('SIGKILL');
    await ended;
  });
  await once(worker, 'disconnect');
  t.equal(await aggregateMetrics(new Registry(), [worker]), '\n');
});
