/** What @fastify/http-proxy and @fastify/reply-from do by themselves, and the gateway does not let them. */

import { readFileSync } from 'node:fs';
import t from 'tap';
import { send } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { spawnGateway } from '../support/gateway-process.ts';
import { startStub, stubAnswer } from '../support/stub-upstream.ts';

const PATH = '/api/helpcenter/article';
const OWN = { 'x-requested-with': 'plugin-square' };

t.test('a refused head and a body that breaks off do not end the process', async (t) => {
  const stub = await startStub(t);
  const gateway = await spawnGateway({
    PUBLIC_URL: 'http://localhost:8080',
    COMMUNITY_URL: stub.url,
    IDENTITY_URL: stub.url,
    SESSION_KEYS: Buffer.alloc(32, 7).toString('base64url'),
  });
  t.teardown(gateway.stop);
  stub.on(`GET ${PATH}`, () => stubAnswer(302, '', { location: 'https://elsewhere.example/' }));
  const redirected = await send(gateway.url, PATH, { headers: OWN });
  t.equal(redirected.status, 502);
  t.equal(redirected.json().code, 'UPSTREAM_INVALID');

  stub.on(`GET ${PATH}`, () =>
    stubAnswer(200, 'x', { 'content-language': ['a', 'b'], 'retry-after': '\u0080' }),
  );
  t.equal((await send(gateway.url, PATH, { headers: OWN })).status, 200, 'headers that no client is to see');

  for (const size of [10, 100_000]) {
    stub.on(`GET ${PATH}`, (_seen, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': String(size + 1) });
      response.write('x'.repeat(size), () => response.destroy());
      return undefined;
    });
    await t.rejects(send(gateway.url, PATH, { headers: OWN }), `after ${size} bytes`);
  }
  // Nobody reads the body of a response when its client has left.
  const left = new AbortController();
  stub.on(`GET ${PATH}`, (_seen, response) => {
    response.writeHead(200).write('x');
    response.once('close', () => undefined);
    left.abort();
    return undefined;
  });
  await t.rejects(send(gateway.url, PATH, { headers: OWN, signal: left.signal }));

  stub.on(`GET ${PATH}`, () => ({ ok: true }));
  t.equal((await send(gateway.url, PATH, { headers: OWN })).status, 200, 'the process lives on');
  // Its log is written whole once it ends.
  await gateway.stop();
  t.match(gateway.output(), 'upstream response truncated');
  t.notMatch(gateway.output(), 'response errored', 'a failure is logged once, in our words');
});

t.test('a body of JSON passes byte for byte, small and in a stream', async (t) => {
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

t.test('a 503 is handed on at once, whatever it says of later', async (t) => {
  const gateway = await startGateway(t);
  gateway.helpcenter.on(`GET ${PATH}`, () => stubAnswer(503, { code: 1 }, { 'retry-after': '1' }));
  t.equal((await send(gateway.url, PATH, { headers: OWN })).status, 503);
  t.equal(gateway.helpcenter.requests.length, 1);
});

t.test('dots in a segment are nobody else’s business', async (t) => {
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

t.test('small bodies come in one piece, with the length that the service said', async (t) => {
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
  const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));
  const installed = Object.keys(packages).filter(
    (path) => /(?:^|\/)node_modules\/undici$/.test(path) && packages[path].dev !== true,
  );
  t.strictSame(installed, ['node_modules/undici']);
});
