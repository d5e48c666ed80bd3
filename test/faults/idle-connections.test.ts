import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { send } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { spawnGateway } from '../support/gateway-process.ts';
import { startStub } from '../support/stub-upstream.ts';
import { isFull, record } from './support/results.ts';
import { crowd, healed } from './support/visitors.ts';

const CONNECTIONS = 10_000;
/** The other side's descriptors, programs and files. */
const FILES_WANTED = CONNECTIONS + 2000;
const AT_ONCE = 200;
/** MiB that ten thousand connections may take, and by which memory may differ where it is to stay as it is. */
const MOST = 160;
const LEFT = 40;
/** Connections, opened and closed, after which a program has the memory that it works with. */
const WARM_UP = 4000;
const SETTLE = 3000;
const HOLD = 20_000;
/** The longest of the gateway's times for idle connections, and some for looking. Milliseconds. */
const CLOSED_WITHIN = 120_000;

const PATH = '/api/cmt/plugin/tag/list';
const OWN = { 'x-requested-with': 'plugin-square' };
const REQUEST = `GET ${PATH} HTTP/1.1\r\nHost: localhost:8080\r\nX-Requested-With: plugin-square\r\n\r\n`;

function filesAllowed(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? 0);
}

/** Allows this process, and those it starts, as many open files as are wanted, where that may be done. */
function allowFiles(): void {
  if (filesAllowed() >= FILES_WANTED) return;
  const wanted = `--nofile=${FILES_WANTED}:${FILES_WANTED}`;
  spawnSync('prlimit', ['--pid', String(process.pid), wanted], { stdio: 'ignore' });
}

/** Opens connections of which every other one has asked something before it falls silent. */
async function openIdle(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, () =>
      connect(Number(port), hostname),
    );
    for (const socket of some) socket.on('error', () => undefined);
    await Promise.all(some.map((socket) => once(socket, 'connect')));
    const asking = some.filter((_socket, index) => index % 2 === 0);
    for (const socket of asking) socket.write(REQUEST);
    await Promise.all(asking.map((socket) => once(socket, 'data')));
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

t.test('connections that are never used are closed, without a word', async (t) => {
  const gateway = await startGateway(t, { timeouts: { head: 1000, body: 1000, bytesPerSecond: 500 } });
  gateway.community.otherwise(() => ({ tag_list: [] }));
  const sockets = await openIdle(gateway.url, 400);
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  t.equal((await send(gateway.url, '/plugins/')).status, 200, 'others are answered');
  const unused = sockets.filter((_socket, index) => index % 2 === 1);
  await healed(async () => unused.every(isClosed));
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
  const others = crowd(look, { visitors: 2, breath: 50 });
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
  t.ok(most < first + LEFT, `${Math.round(first)} MiB at first`);
  t.equal(held, CONNECTIONS, 'all are held');
  t.ok(most < MOST, `${Math.round(most)} MiB more`);
  const seconds = await healed(async () => sockets.every(isClosed), CLOSED_WITHIN);
  const left = residentOf(gateway.pid) - before;
  t.ok(left < most + LEFT, `${Math.round(left)} MiB are left`);
  const lost = await others.leave('200');
  t.strictSame(Object.keys(others.outcomes), ['200'], 'others are answered all the while');
  t.notMatch(gateway.output(), /unreadable request/);
  record({
    fault: `${CONNECTIONS} idle connections`,
    seen: `nothing; ${Math.round(most)} MiB more while they are there; the last is closed after ${Math.round(seconds)} s`,
    logged: 'nothing',
    lost,
  });
}

if (isFull) t.test(`${CONNECTIONS} idle connections`, options, holdMany);
