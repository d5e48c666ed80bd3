import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { createLog } from '../../../server/http/log.ts';
import { createClosing } from '../../../server/runtime/closing.ts';
import { send } from '../../support/browser.ts';
import { type StubUpstream, startStub } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures/serve-until-signal.ts');
const LIST = '/api/cmt/plugin/list';
const CALL = { headers: { 'x-requested-with': 'plugin-square' } };

type Running = {
  url: string;
  opsUrl: string;
  community: StubUpstream;
  identity: StubUpstream;
  child: ChildProcess;
  log(): string;
  /** Exit code after its end. */
  ended: Promise<unknown>;
};

async function run(t: Parameters<typeof startStub>[0], closeWithin = 15_000): Promise<Running> {
  const [community, identity] = [await startStub(t), await startStub(t)];
  const env = { PATH: process.env.PATH, COMMUNITY_URL: community.url, IDENTITY_URL: identity.url };
  const child = spawn(process.execPath, [FIXTURE, String(closeWithin)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Not 'exit': the last lines of the log may be read after that.
  const ended = once(child, 'close').then(([code]) => code);
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const [line] = await once(createInterface({ input: child.stderr }), 'line');
  return { ...JSON.parse(String(line)), community, identity, child, ended, log: () => text };
}

const statusOf = (url: string, path: string): Promise<number> =>
  send(url, path).then(
    ({ status }) => status,
    () => 0,
  );

function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  return once(socket, 'connect').then(() => socket);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  t.test(`${signal}: not ready immediately, requests finish, then the process ends`, async (t) => {
    const { url, opsUrl, community, child, ended, log } = await run(t);
    const { promise: list, resolve: answerList } = Promise.withResolvers<{ total: number }>();
    community.on(`GET ${LIST}`, () => list);
    t.equal(await statusOf(opsUrl, '/readyz'), 200);
    const underWay = send(url, LIST, CALL);
    await until(() => community.seen(`GET ${LIST}`).length > 0);
    child.kill(signal);
    await until(async () => (await statusOf(opsUrl, '/readyz')) === 503);
    t.pass('not ready');
    t.equal(await statusOf(opsUrl, '/livez'), 200, 'but alive');
    t.equal(await statusOf(url, '/plugins/'), 0, 'new connections are refused');
    answerList({ total: 7 });
    const answer = await underWay;
    t.equal(answer.status, 200);
    t.equal(answer.json().data.total, 7);
    t.equal(await ended, 0);
    t.match(log(), `"signal":"${signal}"`);
    t.match(log(), `"route":"${LIST}"`, 'the last line was written');
  });
}

t.test('a running upload is proxied to its end', async (t) => {
  const { url, opsUrl, community, child, ended } = await run(t);
  let received = 0;
  community.on('POST /api/cmt/plugin/view', ({ body }) => {
    received = body.length;
    return {};
  });
  const socket = await open(url);
  const part = 'x'.repeat(50_000);
  const head = `POST /api/cmt/plugin/view HTTP/1.1\r\nHost: localhost:8080\r\nX-Requested-With: plugin-square\r\nExpect: 100-continue\r\nContent-Length: ${4 * part.length}\r\n\r\n`;
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(head + part);
  await until(() => text.includes('100 Continue'));
  child.kill('SIGTERM');
  await until(async () => (await statusOf(opsUrl, '/readyz')) !== 200);
  for (let count = 0; count < 3; count += 1) socket.write(part);
  t.equal(await ended, 0);
  await until(() => socket.closed);
  t.match(text, 'HTTP/1.1 200');
  t.equal(received, 4 * part.length);
});

t.test('idle connections and incomplete requests do not delay the end', async (t) => {
  const { url, community, child, ended } = await run(t, 600_000);
  community.on(`GET ${LIST}`, () => ({}));
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  await send(url, LIST, CALL, agent);
  const [silent, half] = [await open(url), await open(url)];
  half.write('GET /plugins/ HTTP/1.1\r\nHost: local');
  child.kill('SIGTERM');
  t.equal(await ended, 0, 'long before those under way would be cut');
  for (const socket of [silent, half]) if (!socket.closed) await once(socket, 'close');
});

t.test('requests that exceed the deadline are aborted', async (t) => {
  const { url, community, child, ended } = await run(t, 500);
  community.on(`GET ${LIST}`, () => delay(60_000, undefined, { ref: false }));
  const underWay = send(url, LIST, CALL).then(
    () => 'answered',
    () => 'cut',
  );
  await until(() => community.seen(`GET ${LIST}`).length > 0);
  const started = performance.now();
  child.kill('SIGTERM');
  t.equal(await underWay, 'cut');
  t.equal(await ended, 0);
  t.ok(performance.now() - started >= 450, 'not before');
});

t.test('unavailable services do not make it unready', async (t) => {
  const { opsUrl, community, identity } = await run(t);
  await Promise.all([community.stop(), identity.stop()]);
  t.equal(await statusOf(opsUrl, '/readyz'), 200);
});

t.test('callbacks run in reverse order, each once, even if one of them throws', async (t) => {
  const order: string[] = [];
  const closing = createClosing(createLog({ level: 'silent', version: 'test' }));
  closing.add(async () => order.push('first'));
  closing.add(async () => {
    order.push('second');
    throw new Error('on purpose');
  });
  closing.add(async () => order.push('third'));
  t.equal(closing.isClosing(), false);
  await Promise.all([closing.close(), closing.close()]);
  t.equal(closing.isClosing(), true);
  t.strictSame(order, ['third', 'second', 'first']);
});

t.test('a program whose log reader has exited still ends', async (t) => {
  const { child, ended } = await run(t);
  child.stdout?.destroy();
  child.kill('SIGTERM');
  t.equal(await ended, 0);
});
