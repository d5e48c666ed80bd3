import { connect } from 'node:net';
import t from 'tap';
import { createApp } from '../../server/http/app.ts';
import { createLog } from '../../server/http/log.ts';
import { malformedCode } from '../../server/http/refuse.ts';
import { startGateway } from '../support/gateway.ts';
import { portOf } from '../support/port.ts';
import { sendRaw, statusOf } from '../support/raw-request.ts';
import { until } from '../support/until.ts';

async function startApp(t: { teardown(work: () => Promise<unknown>): void }) {
  let text = '';
  const destination = {
    write: (line: string) => {
      text += line;
    },
  };
  const app = createApp({ log: createLog({ level: 'debug', version: 'test', destination }) });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    await released;
    return 'slow response';
  });
  app.all('/', async () => ({ code: 0 }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => app.close());
  return { url: `http://127.0.0.1:${portOf(app.server)}`, log: () => text, release };
}

const HOST = 'Host: localhost';
const CANARY = 'CANARY';

const MALFORMED: [name: string, bytes: string, status: number, code: string][] = [
  ['an invalid request line', `${CANARY} is no request\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
  ['an unknown method', `${CANARY} / HTTP/1.1\r\n${HOST}\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
  ['a TLS handshake', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${CANARY}`, 400, 'MALFORMED_REQUEST'],
  ['an unknown version', `GET /${CANARY} HTTP/7.3\r\n${HOST}\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
  ['a control character', `GET /${CANARY}\x01 HTTP/1.1\r\n${HOST}\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
  ['obs-fold', `GET / HTTP/1.1\r\n${HOST}\r\nX: a\r\n ${CANARY}\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
  [
    'Content-Length with Transfer-Encoding',
    `POST / HTTP/1.1\r\n${HOST}\r\nX: ${CANARY}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'MALFORMED_REQUEST',
  ],
  [
    'two Content-Length headers',
    `POST / HTTP/1.1\r\n${HOST}\r\nX: ${CANARY}\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc`,
    400,
    'MALFORMED_REQUEST',
  ],
  [
    'oversized headers',
    `GET / HTTP/1.1\r\n${HOST}\r\nX-${CANARY}: ${'y'.repeat(200_000)}\r\n\r\n`,
    431,
    'HEADERS_TOO_LARGE',
  ],
  ['an expectation', `GET / HTTP/1.1\r\n${HOST}\r\nExpect: ${CANARY}\r\n\r\n`, 417, 'EXPECTATION_REFUSED'],
];

for (const [name, bytes, status, code] of MALFORMED) {
  t.test(`requirement 27: ${name} gets the error envelope, which echoes nothing`, async (t) => {
    const { url, log } = await startApp(t);
    const received = await sendRaw(url, bytes);
    t.equal(statusOf(received), status);
    const [, body = ''] = received.split('\r\n\r\n');
    t.equal(JSON.parse(body).code, code);
    t.notMatch(received, CANARY);
    t.notMatch(log(), CANARY);
    t.equal((await fetch(url)).status, 200, 'the server still works');
  });
}

t.test('the error for a malformed pipelined request does not get into a pending response', async (t) => {
  const { url, log, release } = await startApp(t);
  const receiving = sendRaw(url, `GET /slow HTTP/1.1\r\n${HOST}\r\n\r\n${CANARY}\r\n\r\n`);
  await until(() => log().includes('unreadable request'));
  release();
  const received = await receiving;
  t.notMatch(received, 'MALFORMED_REQUEST');
  t.notMatch(received, CANARY);
});

t.test('a malformed request after one on the same connection is refused', async (t) => {
  const { url } = await startApp(t);
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n\r\n`);
  await until(() => received.includes('HTTP/1.1 200 OK'));
  socket.write('nonsense\r\n\r\n');
  await new Promise((done) => socket.once('close', done));
  t.match(received, /200 OK.*400 Bad Request/s);
});

t.test('a request timeout is 408', async (t) => {
  const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  t.equal(malformedCode(error), 'REQUEST_TIMEOUT');
});

t.test('requirement 27: without Host or with two the gateway sends the error envelope', async (t) => {
  const gateway = await startGateway(t);
  for (const hosts of ['', `${HOST}\r\nHost: ${CANARY}\r\n`]) {
    const received = await sendRaw(gateway.url, `GET /plugins/ HTTP/1.1\r\n${hosts}\r\n`);
    t.equal(statusOf(received), 400);
    t.match(received, '"code":"BAD_HOST"');
    t.notMatch(received, CANARY);
  }
});

t.test('a QUERY request without a content type is 415', async (t) => {
  const { url, log } = await startApp(t);
  for (const body of ['', 'Content-Length: 2\r\n\r\nhi']) {
    const end = body === '' ? '\r\n' : body;
    const received = await sendRaw(url, `QUERY / HTTP/1.1\r\n${HOST}\r\n${end}`);
    t.equal(statusOf(received), 415);
    t.match(received, '"code":"UNSUPPORTED_MEDIA_TYPE"');
  }
  t.notMatch(log(), /"level":"error"|stack/);
});
