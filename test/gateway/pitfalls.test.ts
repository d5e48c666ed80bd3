import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import t from 'tap';
import { send } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { sendRaw, statusOf } from '../support/raw-request.ts';
import { stubAnswer } from '../support/stub-upstream.ts';

/** Known mistakes of similar proxies that no numbered requirement covers. */
const PATH = '/api/helpcenter/article';
const OWN = { 'x-requested-with': 'plugin-square' };

t.test('Expect and Keep-Alive headers cause no server error', async (t) => {
  const gateway = await startGateway(t);
  gateway.helpcenter.on(`POST ${PATH}`, ({ headers }) => ({ names: Object.keys(headers) }));
  const head = `POST ${PATH} HTTP/1.1\r\nHost: localhost:8080\r\nX-Requested-With: plugin-square\r\n`;
  for (const [line, status] of [
    ['Keep-Alive: timeout=5', 200],
    ['Expect: 100-continue', 200],
    ['Expect: nonsense', 417],
    ['Proxy-Connection: keep-alive', 200],
  ] as const) {
    const received = await sendRaw(gateway.url, `${head}${line}\r\nContent-Length: 2\r\n\r\n{}`);
    const final = received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
    t.equal(statusOf(final), status, line);
    t.notMatch(
      final.split('\r\n\r\n')[1] ?? '',
      /"(?:expect|keep-alive|proxy-connection)"/,
      'it is not forwarded',
    );
  }
});

t.test('a service whose host name does not resolve is 502 without that name', async (t) => {
  const address = 'http://no-such-service.invalid';
  const gateway = await startGateway(t, { upstreams: { helpcenter: address } });
  const answer = await send(gateway.url, PATH, { headers: OWN });
  t.equal(answer.status, 502);
  t.strictSame(answer.json(), {
    code: 'UPSTREAM_UNAVAILABLE',
    message: 'A service behind this site cannot be reached.',
  });
  t.notMatch(answer.text + JSON.stringify(answer.headers), 'no-such-service');
});

t.test('if a cookie is sent twice, the first counts', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  await browser.signIn();
  const session = browser.cookies.get('session') ?? '';
  for (const [cookie, isSignedIn] of [
    [`session=${session}; session=planted`, true],
    [`session=planted; session=${session}`, false],
  ] as const) {
    const answer = await send(gateway.url, '/api/auth/session', { headers: { ...OWN, cookie } });
    t.equal(answer.json().data.signed_in, isSignedIn);
  }
});

t.test('a 404 response does not echo the URL', async (t) => {
  const gateway = await startGateway(t);
  for (const path of [
    '/api/cmt/very-private?x=very-private',
    '/very-private',
    '/plugins/assets/very-private',
  ]) {
    const answer = await send(gateway.url, path, { headers: OWN });
    t.equal(answer.status, 404, path);
    t.notMatch(answer.text + JSON.stringify(answer.headers), 'very-private');
  }
});

t.test('closing does not wait for idle connections', async (t) => {
  const gateway = await startGateway(t, { closeWithin: 3_600_000 });
  const agent = new Agent({ keepAlive: true });
  await send(gateway.url, '/plugins/', {}, agent);
  const { hostname, port } = new URL(gateway.url);
  const silent = connect(Number(port), hostname);
  silent.on('error', () => undefined).resume();
  await once(silent, 'connect');
  await gateway.close();
  t.pass('long before those under way would be cut off');
  agent.destroy();
  silent.destroy();
});

t.test('partly read responses do no harm', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  await browser.signIn();
  const large = 'x'.repeat(2_000_000);
  gateway.community.on('POST /api/cmt/plugin/user', () => stubAnswer(401, { code: 'TOKEN_INVALID', large }));
  gateway.community.on('GET /api/cmt/manager/verify', () => stubAnswer(503, 'x'.repeat(20_000_000)));
  for (let round = 0; round < 5; round += 1) {
    const refused = await browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
    t.equal(refused.status, 401, 'a discarded response, then a forwarded one');
  }
  t.equal(
    (await browser.call('/api/auth/session')).json().data.role,
    null,
    'a response above the size limit',
  );
  gateway.identity.on('POST /user/logout', () => stubAnswer(500, 'x'.repeat(20_000_000)));
  t.equal((await browser.call('/api/auth/logout', { method: 'POST' })).status, 502);
  t.equal((await browser.visit('/plugins/')).status, 200, 'the process is alive');
});
