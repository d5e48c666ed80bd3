import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { CLIENT_TIMEOUTS } from '../../../server/http/connections.ts';
import { send } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { spawnGateway } from '../../support/gateway-process.ts';
import { startStub } from '../../support/stub-upstream.ts';
import { startClients, waitForRecovery } from './support/clients.ts';
import { isFull, record } from './support/results.ts';

const CONNECTIONS = 10_000;
/** Descriptors of the other side, programs and files included. */
const FILES_WANTED = CONNECTIONS + 2000;
const BATCH = 200;
/** MiB that all connections may use, and a tolerance for unchanged memory. */
const MEMORY_MAX = 160;
const MEMORY_TOLERANCE = 40;
/** Connections opened and closed first, until the program has its working memory. */
const WARM_UP = 4000;
/** Milliseconds; memory is measured over time, so these waits are the measurement itself. */
const SETTLE = 3000;
const HOLD = 20_000;
/** Milliseconds: the longest idle timeout of the gateway, and some time to notice it. */
const CLOSED_WITHIN = 120_000;

const PATH = '/api/cmt/plugin/tag/list';
const OWN = { 'x-requested-with': 'plugin-square' };
const REQUEST = `GET ${PATH} HTTP/1.1\r\nHost: localhost:8080\r\nX-Requested-With: plugin-square\r\n\r\n`;

function filesAllowed(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? 0);
}

/** Raises the limit of open files for this process and its children, if permitted. */
function allowFiles(): void {
  if (filesAllowed() >= FILES_WANTED) return;
  const wanted = `--nofile=${FILES_WANTED}:${FILES_WANTED}`;
  spawnSync('prlimit', ['--pid', String(process.pid), wanted], { stdio: 'ignore' });
}

/** Opens connections that then stay silent; every other one has sent a request before. */
async function openIdle(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(BATCH, count - sockets.length) }, () =>
      connect(Number(port), hostname),
    );
    for (const socket of some) socket.on('error', () => undefined);
    const asking = some.filter((_socket, index) => index % 2 === 0);
    // Sent on connection, before the timeout for request headers can pass on a busy machine.
    const answered = asking.map((socket) => once(socket, 'data'));
    for (const socket of asking) socket.write(REQUEST);
    await Promise.all([...some.map((socket) => once(socket, 'connect')), ...answered]);
    for (const socket of some) socket.resume();
    sockets.push(...some);
  }
  return sockets;
}

const isClosed = ({ readyState }: Socket): boolean => readyState !== 'open';

function residentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

t.test('unused connections are closed silently', async (t) => {
  const gateway = await startGateway(t, {
    timeouts: { client: { ...CLIENT_TIMEOUTS, head: 3000, body: 3000 } },
  });
  gateway.community.otherwise(() => ({ tag_list: [] }));
  const sockets = await openIdle(gateway.url, 400);
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  t.equal((await send(gateway.url, '/plugins/')).status, 200, 'other clients are answered');
  const unused = sockets.filter((_socket, index) => index % 2 === 1);
  await waitForRecovery(async () => unused.every(isClosed));
  t.ok(unused.every(({ bytesRead }) => bytesRead === 0));
  t.ok(sockets.filter((socket) => !unused.includes(socket)).every((socket) => !isClosed(socket)));
  t.strictSame(
    gateway.lines().filter(({ msg }) => msg === 'unreadable request'),
    [],
  );
});

if (isFull) allowFiles();
const tooFew = `${FILES_WANTED} open files are needed, ${filesAllowed()} allowed (ulimit -n)`;
const options = { skip: filesAllowed() < FILES_WANTED ? tooFew : false };

type Test = Parameters<Parameters<typeof t.test>[0]>[0];

async function holdMany(t: Test): Promise<void> {
  const [community, identity] = [await startStub(t), await startStub(t)];
  community.otherwise(() => ({ tag_list: [] }));
  const gateway = await spawnGateway({
    COMMUNITY_URL: community.url,
    IDENTITY_URL: identity.url,
    RATE_LIMIT_FACTOR: '0',
  });
  t.teardown(gateway.stop);
  const look = async () => String((await send(gateway.url, PATH, { headers: OWN })).status);
  const others = startClients(look, { visitors: 2, pause: 50 });
  for (const socket of await openIdle(gateway.url, WARM_UP)) socket.destroy();
  await delay(SETTLE);
  const before = residentOf(gateway.pid);
  const sockets = await openIdle(gateway.url, CONNECTIONS);
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  await delay(SETTLE);
  const first = residentOf(gateway.pid) - before;
  await delay(HOLD);
  const held = sockets.filter((socket) => !isClosed(socket)).length;
  const most = residentOf(gateway.pid) - before;
  t.ok(most < first + MEMORY_TOLERANCE, `${Math.round(first)} MiB at first`);
  t.equal(held, CONNECTIONS, 'no connection is closed early');
  t.ok(most < MEMORY_MAX, `${Math.round(most)} MiB more`);
  const seconds = await waitForRecovery(async () => sockets.every(isClosed), CLOSED_WITHIN);
  const left = residentOf(gateway.pid) - before;
  t.ok(left < most + MEMORY_TOLERANCE, `${Math.round(left)} MiB remain`);
  const lost = await others.stop('200');
  t.strictSame(Object.keys(others.outcomes), ['200'], 'other clients are answered all the time');
  t.notMatch(gateway.output(), /unreadable request/);
  record({
    fault: `${CONNECTIONS} idle connections`,
    seen: `nothing; ${Math.round(most)} MiB more memory meanwhile; the last one is closed after ${Math.round(seconds)} s`,
    logged: 'nothing',
    lost,
  });
}

if (isFull) t.test(`${CONNECTIONS} idle connections`, options, holdMany);
