/** Default behaviour of @fastify/http-proxy and @fastify/reply-from that the gateway prevents. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { send } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { type GatewayProcess, spawnGateway } from '../../support/gateway-process.ts';
import { portOf } from '../../support/port.ts';
import { startStub, stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';

const PATH = '/api/helpcenter/article';
const OWN = { 'x-requested-with': 'plugin-square' };

/** A gateway in its own process, which an uncaught exception would end. */
async function spawnBefore(t: Test, url: string): Promise<GatewayProcess> {
  const gateway = await spawnGateway({
    PUBLIC_URL: 'http://localhost:8080',
    COMMUNITY_URL: url,
    IDENTITY_URL: url,
    SESSION_KEYS: Buffer.alloc(32, 7).toString('base64url'),
  });
  t.teardown(gateway.stop);
  return gateway;
}

t.test('an exception in the response headers does not end the process', async (t) => {
  const stub = await startStub(t);
  const gateway = await spawnBefore(t, stub.url);
  const get = () => send(gateway.url, PATH, { headers: OWN });
  stub.on(`GET ${PATH}`, () => stubAnswer(302, '', { location: 'https://elsewhere.example/' }));
  const redirected = await get();
  t.equal(redirected.status, 502);
  t.equal(redirected.json().code, 'UPSTREAM_INVALID');

  const file = new URL('../fixtures/naive-proxy.ts', import.meta.url);
  const naive = fork(fileURLToPath(file), [stub.url], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const ended = once(naive, 'exit');
  const [started] = await Promise.race([once(naive, 'message'), ended]);
  t.type(started.url, 'string', 'the library alone listens');
  await t.rejects(send(started.url, PATH));
  t.equal((await ended)[0], 1, 'with the library alone it ends the process');

  // Fastify refuses the status: the library responds itself, and nobody reads the body, which then fails.
  stub.on(`GET ${PATH}`, (_seen, response) => {
    response.writeHead(666, { 'content-type': 'text/plain' }).write('x'.repeat(100_000));
    setImmediate(() => response.destroy());
    return undefined;
  });
  const unknown = await get();
  t.equal(unknown.status, 502);
  t.equal(unknown.json().code, 'UPSTREAM_INVALID');

  const unseen = { 'content-language': ['a', 'b'], 'retry-after': '\u0080' };
  stub.on(`GET ${PATH}`, () => stubAnswer(200, 'x', unseen));
  t.equal((await get()).status, 200, 'headers that must not reach a client');
  await gateway.stop();
  t.notMatch(gateway.output(), 'response errored', 'a failure is logged once, in our words');
});

t.test('a body that fails before anybody reads it does not end the process', async (t) => {
  /** Head and failure arrive together: the body fails before the library gets it. */
  const answers = [
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZ\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\nZ\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nx',
    'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 10\r\n\r\nx',
  ];
  let answer = '';
  const upstream = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.end(answer));
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  t.teardown(() => upstream.close());
  const gateway = await spawnBefore(t, `http://127.0.0.1:${portOf(upstream)}`);
  for (answer of answers) {
    const outcome = await send(gateway.url, PATH, { headers: OWN }).then(
      ({ status }) => status,
      () => 'broken off',
    );
    t.match(outcome, /^(?:502|broken off)$/, JSON.stringify(answer));
  }
  answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok';
  t.equal((await send(gateway.url, PATH, { headers: OWN })).text, 'ok', 'the process survives');
});

t.test('a truncated or abandoned body does not end the process', async (t) => {
  const stub = await startStub(t);
  const gateway = await spawnBefore(t, stub.url);
  const breakOff = (size: number) =>
    stub.on(`GET ${PATH}`, (_seen, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': String(size + 1) });
      response.write('x'.repeat(size), () => response.destroy());
      return undefined;
    });
  breakOff(10);
  const small = await send(gateway.url, PATH, { headers: OWN });
  t.equal(small.json().code, 'UPSTREAM_UNAVAILABLE', 'nothing of it has gone out yet');
  breakOff(100_000);
  await t.rejects(send(gateway.url, PATH, { headers: OWN }));
  const left = new AbortController();
  const closed = new Promise<void>((resolve) => {
    stub.on(`GET ${PATH}`, (_seen, response) => {
      response.once('close', resolve);
      left.abort();
      response.writeHead(200).write('x');
      return undefined;
    });
  });
  await t.rejects(send(gateway.url, PATH, { headers: OWN, signal: left.signal }));
  await closed;

  stub.on(`GET ${PATH}`, () => ({ ok: true }));
  t.equal((await send(gateway.url, PATH, { headers: OWN })).status, 200, 'the process survives');
  // Its log is complete after the process has ended.
  await gateway.stop();
  t.match(gateway.output(), 'upstream response truncated');
  t.notMatch(gateway.output(), 'response errored', 'a failure is logged once, in our words');
});

t.test('no replay for a client that disconnected during the refresh', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  await browser.signIn();
  gateway.helpcenter.on(`GET ${PATH}`, () => stubAnswer(401, {}));
  const left = new AbortController();
  gateway.identity.on('POST /user/refresh_token', async () => {
    left.abort();
    await until(() => gateway.lines().some((line) => line.client_aborted === true));
    return {
      access_token: gateway.issued.accessToken(),
      refresh_token: 'CANARY-next',
      refresh_expires_in: 86_400,
    };
  });
  await t.rejects(browser.call(PATH, { signal: left.signal }));
  const renewed = 'bff_token_refresh_total{outcome="renewed"} 1';
  await until(async () => (await gateway.registry.metrics()).includes(renewed));
  gateway.helpcenter.on(`GET ${PATH}`, () => ({ ok: true }));
  t.equal((await browser.call(PATH)).status, 200);
  const [first, second] = gateway.helpcenter.requests.map(({ headers }) => headers.authorization);
  t.not(first, second, 'the next call has the new token');
  t.equal(gateway.helpcenter.requests.length, 2);
});

t.test('the head of an event stream is sent before its first event', async (t) => {
  const gateway = await startGateway(t);
  let end = (): void => undefined;
  gateway.helpcenter.on(`GET ${PATH}`, (_seen, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    end = () => response.end('data: 1\n\n');
    return undefined;
  });
  const response = await fetch(gateway.url + PATH, { headers: OWN });
  t.equal(response.headers.get('content-type'), 'text/event-stream');
  end();
  t.equal(await response.text(), 'data: 1\n\n');
});

t.test('a JSON body is forwarded byte for byte, buffered and streamed', async (t) => {
  const gateway = await startGateway(t);
  gateway.helpcenter.on(`POST ${PATH}`, ({ body }) => ({ length: body.length }));
  const headers = { ...OWN, 'content-type': 'application/json' };
  for (const body of ['{ "a" :1}', `["${'x'.repeat(70_000)}" ]`]) {
    const answer = await send(gateway.url, PATH, { method: 'POST', headers, body });
    t.equal(answer.status, 200);
    const seen = gateway.helpcenter.seen(`POST ${PATH}`).at(-1);
    t.ok(seen?.body.equals(Buffer.from(body)), `${body.length} bytes`);
    t.equal(seen?.headers['content-type'], 'application/json');
    t.equal(seen?.headers['content-length'], String(body.length));
  }
});

t.test('a 503 is returned immediately, whatever its Retry-After', async (t) => {
  const gateway = await startGateway(t);
  gateway.helpcenter.on(`GET ${PATH}`, () => stubAnswer(503, { code: 1 }, { 'retry-after': '1' }));
  t.equal((await send(gateway.url, PATH, { headers: OWN })).status, 503);
  t.equal(gateway.helpcenter.requests.length, 1);
});

t.test('segments that contain dots are forwarded', async (t) => {
  const gateway = await startGateway(t);
  gateway.helpcenter.otherwise(() => ({}));
  for (const path of ['/api/helpcenter/..foo', '/api/helpcenter/foo..', '/api/helpcenter/a/...b']) {
    t.equal((await send(gateway.url, path, { headers: OWN })).status, 200, path);
    t.equal(gateway.helpcenter.requests.at(-1)?.target, path);
  }
  const refused = await send(gateway.url, '/api/helpcenter/..;/x', { headers: OWN });
  t.equal(refused.status, 400);
  t.equal(refused.json().code, 'BAD_PATH');
});

t.test('each method of one path has its own route', async (t) => {
  const gateway = await startGateway(t);
  gateway.community.otherwise(() => ({}));
  const anonymous = await send(gateway.url, '/api/cmt/plugin/user', { method: 'POST', headers: OWN });
  t.equal(anonymous.status, 401);
  const other = await send(gateway.url, '/api/cmt/plugin/list', { method: 'DELETE', headers: OWN });
  t.equal(other.status, 405);
  t.equal(other.headers.allow, 'GET, HEAD');
});

t.test('small bodies are sent in one chunk, with the length of the service', async (t) => {
  const gateway = await startGateway(t);
  gateway.helpcenter.on(`GET ${PATH}`, (_seen, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '4' }).end('text');
    return undefined;
  });
  const answer = await send(gateway.url, PATH, { headers: OWN });
  t.equal(answer.text, 'text');
  t.equal(answer.headers['content-length'], '4');
  t.notOk(answer.headers['transfer-encoding']);
});

t.test('one undici is installed for production', async (t) => {
  const { packages } = JSON.parse(
    readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8'),
  );
  const installed = Object.keys(packages).filter(
    (path) => /(?:^|\/)node_modules\/undici$/.test(path) && packages[path].dev !== true,
  );
  t.strictSame(installed, ['node_modules/undici']);
});

t.test('an empty body with a JSON content type stays empty', async (t) => {
  const gateway = await startGateway(t);
  gateway.helpcenter.on(`GET ${PATH}`, () =>
    stubAnswer(200, '', { 'content-type': 'application/json', 'content-length': '0' }),
  );
  const { status, text, headers } = await send(gateway.url, PATH, { headers: OWN });
  t.strictSame({ status, text, length: headers['content-length'] }, { status: 200, text: '', length: '0' });
});
