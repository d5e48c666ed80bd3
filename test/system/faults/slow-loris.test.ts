import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { CLIENT_TIMEOUTS } from '../../../server/http/connections.ts';
import { send } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { statusOf } from '../../support/raw-request.ts';
import { streaming } from '../../support/stub-upstream.ts';
import { startClients, waitForRecovery } from './support/clients.ts';
import { isFull, record } from './support/results.ts';

const CLIENTS = isFull ? 250 : 20;
const TIMEOUTS = {
  ...CLIENT_TIMEOUTS,
  ...(!isFull && { head: 2000, body: 2000 }),
  // Enough for this process, which has the other side of all connections, to read the responses.
  refusal: 60_000,
};
const DRIP_EVERY = isFull ? 1000 : 50;
/** Milliseconds until all are closed; only a full run measures it. */
const CLOSED_WITHIN = isFull ? TIMEOUTS.body * 2 + 5000 : 120_000;

const OWN = 'Host: localhost:8080\r\nX-Requested-With: plugin-square\r\nOrigin: http://localhost:8080\r\n';
const UPLOAD = `POST /api/helpcenter/upload/picture HTTP/1.1\r\n${OWN}Content-Type: multipart/form-data; boundary=x\r\n`;
const JSON_BODY = 'Content-Type: application/json\r\n';

type Kind = { name: string; start: string; drip: string };
const KINDS: Kind[] = [
  { name: 'a head', start: 'GET /plugins/ HTTP/1.1\r\nHost: localhost:8080\r\n', drip: 'X-A: b\r\n' },
  {
    name: 'a body that the gateway reads',
    start: `POST /api/auth/logout HTTP/1.1\r\n${OWN}${JSON_BODY}Content-Length: 5000\r\n\r\n`,
    drip: ' ',
  },
  {
    name: 'a small body that is proxied',
    start: `POST /api/helpcenter/article HTTP/1.1\r\n${OWN}${JSON_BODY}Content-Length: 5000\r\n\r\n`,
    drip: ' ',
  },
  {
    name: 'an upload',
    start: `${UPLOAD}Transfer-Encoding: chunked\r\n\r\n`,
    drip: '1\r\nx\r\n',
  },
  {
    name: 'a body after its refusal',
    start: 'POST /api/cmt/plugin/user HTTP/1.1\r\nHost: localhost:8080\r\nContent-Length: 5000\r\n\r\n',
    drip: ' ',
  },
];

type Client = { socket: Socket; received: string; isClosed: boolean };

/** Sends the start of a request and then only single bytes. */
async function slowClient(gateway: TestGateway, { start, drip }: Kind): Promise<Client> {
  const socket = connectTo(gateway);
  const client: Client = { socket, received: '', isClosed: false };
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    client.received += chunk.toString('latin1');
  });
  // Sent on connection, before the timeout can pass on a busy machine.
  socket.write(start);
  await once(socket, 'connect');
  const timer = setInterval(() => socket.write(drip), DRIP_EVERY);
  socket.on('close', () => {
    clearInterval(timer);
    client.isClosed = true;
  });
  return client;
}

t.test('slow-loris clients delay nobody and are disconnected', async (t) => {
  const gateway = await startGateway(t, {
    settings: { RATE_LIMIT_FACTOR: '0' },
    timeouts: { client: TIMEOUTS },
  });
  gateway.helpcenter.otherwise(() => ({ read: true }));
  const clients = new Map<string, Client[]>();
  for (const kind of KINDS) {
    const all = await Promise.all(Array.from({ length: CLIENTS }, () => slowClient(gateway, kind)));
    clients.set(kind.name, all);
    t.teardown(() => {
      for (const { socket } of all) socket.destroy();
    });
  }
  const others = startClients(
    async (index) => {
      const page = await gateway.browser().visit(`/plugins/?round=${index}`);
      const headers = { 'x-requested-with': 'plugin-square' };
      const call = await send(gateway.url, '/api/helpcenter/article', {
        method: 'POST',
        headers,
        body: '{}',
      });
      return `${page.status} ${call.status}`;
    },
    { visitors: 2, pause: 20 },
  );
  const all = [...clients.values()].flat();
  const seconds = await waitForRecovery(async () => all.every(({ isClosed }) => isClosed), CLOSED_WITHIN);
  const lost = await others.stop('200 200');
  t.strictSame(Object.keys(others.outcomes), ['200 200'], 'other clients are answered all the time');

  for (const [name, sent] of clients) {
    const wanted = name === 'a body after its refusal' ? 403 : 408;
    t.ok(
      sent.every(({ received }) => statusOf(received) === wanted),
      `${name}: ${wanted}`,
    );
  }
  const lines = gateway.lines().filter(({ msg }) => msg === 'unreadable request');
  t.equal(lines.length, all.length, 'each is logged once');
  t.ok(lines.every(({ level, code }) => level === 'info' && code === 'REQUEST_TIMEOUT'));
  t.strictSame(
    gateway.lines().filter(({ level }) => level === 'error' || level === 'warn'),
    [],
    'none is logged as an error',
  );
  t.ok(
    gateway
      .lines()
      .filter(({ msg, status }) => msg === 'request' && status === 408)
      .every((line) => !('client_aborted' in line)),
  );
  record({
    fault: `slow-loris: ${all.length} heads and bodies at a byte a second`,
    seen: '408 REQUEST_TIMEOUT for these requests; others notice nothing',
    logged: 'info "unreadable request" with `code` REQUEST_TIMEOUT, one each',
    lost,
    recovery_seconds: seconds,
  });
});

t.test('a slow but steady upload is accepted', async (t) => {
  const gateway = await startGateway(t, {
    timeouts: { client: { ...CLIENT_TIMEOUTS, body: 500, bytesPerSecond: 50 } },
  });
  gateway.helpcenter.otherwise(({ body }) => ({ bytes: body.length }));
  const socket = connectTo(gateway);
  socket.write(headOf('/api/helpcenter/article', 2000));
  let sent = 0;
  const timer = setInterval(() => {
    if (sent === 2000) return clearInterval(timer);
    sent += 100;
    socket.write(' '.repeat(100));
  }, 75);
  const [answer] = await once(socket, 'data');
  t.equal(statusOf(String(answer)), 200);
  socket.destroy();
});

t.test('a slow service does not time out the upload of its client', async (t) => {
  const gateway = await startGateway(t, { timeouts: { client: { ...CLIENT_TIMEOUTS, body: 500 } } });
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  gateway.helpcenter.on(
    'POST /api/helpcenter/upload/picture',
    streaming(async (_seen, _response, request) => {
      reached.resolve();
      await released.promise;
      return { bytes: Buffer.concat(await request.toArray()).length };
    }),
  );
  const uploaded = send(gateway.url, '/api/helpcenter/upload/picture', {
    method: 'POST',
    headers: { 'x-requested-with': 'plugin-square', 'content-type': 'multipart/form-data; boundary=x' },
    body: Buffer.alloc(4 * 2 ** 20),
  });
  await reached.promise;
  // When the second one is refused, the upload has been standing still for longer than the timeout.
  for (const silent of [connectTo(gateway), connectTo(gateway)]) {
    silent.write(headOf('/api/auth/logout', 5000));
    const [answer] = await once(silent, 'data');
    t.equal(statusOf(String(answer)), 408);
    silent.destroy();
  }
  released.resolve();
  const { status, json } = await uploaded;
  t.match({ status, data: json().data }, { status: 200, data: { bytes: 4 * 2 ** 20 } });
});

t.test('a body that arrives while the gateway stands still is not refused', async (t) => {
  const gateway = await startGateway(t, { timeouts: { client: { ...CLIENT_TIMEOUTS, body: 1000 } } });
  const reached = Promise.withResolvers<void>();
  gateway.helpcenter.on(
    'POST /api/helpcenter/upload/picture',
    streaming(async (_seen, _response, request) => {
      reached.resolve();
      return { bytes: Buffer.concat(await request.toArray()).length };
    }),
  );
  const socket = connectTo(gateway);
  // An upload is passed on with its first bytes.
  socket.write(`${UPLOAD}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`);
  await reached.promise;
  socket.write('1\r\nx\r\n0\r\n\r\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
  const [answer] = await once(socket, 'data');
  t.equal(statusOf(String(answer)), 200);
  socket.destroy();
});

function connectTo({ url }: TestGateway): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname);
}

function headOf(path: string, bytes: number): string {
  return `POST ${path} HTTP/1.1\r\n${OWN}${JSON_BODY}Content-Length: ${bytes}\r\n\r\n`;
}
