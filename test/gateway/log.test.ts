import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import t from 'tap';
import { send } from '../support/browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { stubAnswer } from '../support/stub-upstream.ts';
import { until } from '../support/until.ts';

t.test('log', async (t) => {
  const LIST = '/api/cmt/plugin/list';
  const INSTALL = '/api/cmt/plugin/user';

  async function lineOf(gateway: TestGateway, route: string): Promise<Record<string, unknown>> {
    await gateway.logged();
    const line = gateway.lines().findLast((found) => found.msg === 'request' && found.route === route);
    if (!line) throw new Error(`no line of ${route}`);
    return line;
  }

  function events(gateway: TestGateway, event: string): Record<string, unknown>[] {
    return gateway.lines().filter((line) => line.event === event);
  }

  async function signedIn(
    t: Parameters<typeof startGateway>[0],
    setup: Parameters<typeof startGateway>[1] = {},
  ) {
    const gateway = await startGateway(t, setup);
    gateway.community.on(`POST ${INSTALL}`, () => ({}));
    const browser = gateway.browser();
    await browser.signIn();
    return { gateway, browser, install: (body = '{}') => browser.call(INSTALL, { method: 'POST', body }) };
  }

  t.test('a log line has exactly these fields', async (t) => {
    const { gateway, browser, install } = await signedIn(t);
    await browser.call('/api/auth/session');
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const body = JSON.stringify({ text: 'x'.repeat(5000) });
    await browser.call(`${INSTALL}?keyword=very-private`, { method: 'POST', body, headers: { traceparent } });
    const line = await lineOf(gateway, INSTALL);
    t.match(line, {
      level: 'info',
      time: /^\d{4}-\d\d-\d\dT/,
      version: 'test',
      reqId: /^[0-9a-f-]{36}$/,
      traceparent,
      method: 'POST',
      route: INSTALL,
      status: 200,
      duration_ms: Number,
      bytes_in: Number,
      bytes_out: Number,
      user: /^[\w-]{16}$/,
      session: /^[\w-]{12}$/,
      role: 0,
      csrf: 'passed',
      upstream: { name: 'community', attempts: 1, status: 200, first_byte_ms: Number, total_ms: Number },
      msg: 'request',
    });
    t.strictSame(
      Object.keys(line).sort(),
      `bytes_in bytes_out csrf duration_ms level method msg reqId role route session status time traceparent upstream user
    version`.split(/\s+/),
    );
    t.ok(Number(line.bytes_in) > 5000 && Number(line.bytes_in) < 9000, `${line.bytes_in} bytes in`);
    t.ok(Number(line.bytes_out) > 100 && Number(line.bytes_out) < 2000, `${line.bytes_out} bytes out`);
    t.equal(gateway.community.seen(`POST ${INSTALL}`)[0]?.headers.traceparent, traceparent);
    t.notMatch(gateway.logText(), 'very-private');
    t.notMatch(gateway.logText(), browser.cookies.get('session') ?? 'none');
    await browser.call('/api/cmt/nothing/very-private');
    t.hasStrict(await lineOf(gateway, '/api/*'), { status: 404, code: 'NOT_FOUND' });
    t.notMatch(gateway.logText(), 'very-private');
    await install();
    t.match(await lineOf(gateway, INSTALL), { traceparent: /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/ });
  });

  t.test('users and sessions are logged by pseudonyms', async (t) => {
    const keys = [randomBytes(32)];
    const one = await signedIn(t, { keys });
    const two = await signedIn(t, { keys });
    const other = await signedIn(t);
    for (const { install } of [one, two, other]) await install();
    const [first, second, third] = [
      await lineOf(one.gateway, INSTALL),
      await lineOf(two.gateway, INSTALL),
      await lineOf(other.gateway, INSTALL),
    ];
    t.equal(first.user, second.user, 'the same user at two gateways of one site');
    t.not(first.session, second.session);
    t.not(first.user, third.user, 'other keys, other pseudonym');
    t.notMatch(one.gateway.logText(), 'ada@example.org');
    t.notMatch(one.gateway.logText(), '"user_id"');
  });

  t.test('refreshes, renewed and refused', async (t) => {
    const { gateway, install } = await signedIn(t);
    gateway.clock.ahead = 16 * 60_000;
    await install();
    t.hasStrict(await lineOf(gateway, INSTALL), { refresh: 'renewed', status: 200 });
    await install();
    t.equal((await lineOf(gateway, INSTALL)).refresh, undefined, 'no refresh was needed');
    gateway.clock.ahead *= 2;
    gateway.identity.on('POST /user/refresh_token', () => stubAnswer(500, {}));
    await install();
    t.hasStrict(await lineOf(gateway, INSTALL), { refresh: 'failed', status: 502, code: 'UPSTREAM_INVALID' });
    gateway.identity.on('POST /user/refresh_token', () => stubAnswer(401, {}));
    await install();
    t.hasStrict(await lineOf(gateway, INSTALL), { refresh: 'refused', status: 401, code: 'SESSION_ENDED' });
    t.match(events(gateway, 'refresh_refused'), [{ level: 'info', session: /^[\w-]{12}$/ }]);
  });

  t.test('security events are separate log lines', async (t) => {
    const { gateway, browser, install } = await signedIn(t);
    t.match(events(gateway, 'login'), [{ level: 'info', session: /^[\w-]{12}$/, reqId: String }]);
    gateway.community.on(`POST ${INSTALL}`, () => stubAnswer(403, { code: 'FORBIDDEN', message: 'no' }));
    await install();
    await gateway.logged();
    t.match(events(gateway, 'forbidden'), [{ route: INSTALL, session: String, user: String, reqId: String }]);
    await browser.call('/api/helpcenter/manager/x');
    await gateway.logged();
    t.hasStrict(events(gateway, 'forbidden'), [{}, { route: '/api/helpcenter/*' }], 'by the gateway itself');

    await browser.call(INSTALL, { method: 'POST', body: '{}', headers: { origin: 'https://evil.example' } });
    t.match(events(gateway, 'csrf_refused'), [{ reason: 'origin', reqId: String }]);
    t.hasStrict(await lineOf(gateway, INSTALL), { csrf: 'origin', status: 403, code: 'CSRF_REFUSED' });
    t.equal(events(gateway, 'forbidden').length, 2, 'one refusal, one event');
    await browser.call('/api/auth/logout', { method: 'POST' });
    t.match(events(gateway, 'logout'), [{ session: String }]);
  });

  t.test('a client that disconnects', async (t) => {
    const gateway = await startGateway(t);
    const asked = Promise.withResolvers<void>();
    gateway.community.on(`GET ${LIST}`, () => {
      asked.resolve();
      return new Promise(() => undefined);
    });
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET ${LIST}?x=1 HTTP/1.1\r\nHost: localhost:8080\r\nX-Requested-With: plugin-square\r\n\r\n`,
    );
    await asked.promise;
    socket.destroy();
    const line = await until(() => gateway.lines().find(({ route }) => route === LIST));
    t.hasStrict(line, { client_aborted: true });
    t.match(await gateway.registry.metrics(), /^bff_client_abort_total 1$/m);
  });

  t.test('errors are logged with their code, retries with the number of attempts', async (t) => {
    const { gateway, browser } = await signedIn(t);
    await gateway.community.stop();
    await browser.call(LIST);
    t.match(await lineOf(gateway, LIST), {
      status: 502,
      code: 'UPSTREAM_UNAVAILABLE',
      upstream: { name: 'community', attempts: 2, total_ms: Number },
    });
    t.ok(gateway.lines().some(({ level, code }) => level === 'error' && code === 'UPSTREAM_UNAVAILABLE'));
  });

  t.test('only the request that called the upstream logs the call', async (t) => {
    const gateway = await startGateway(t);
    gateway.community.on(`GET ${LIST}`, () => ({}));
    const browser = gateway.browser();
    await browser.call(LIST);
    t.match(await lineOf(gateway, LIST), { upstream: { name: 'community', status: 200, total_ms: Number } });
    await browser.call(LIST);
    t.equal((await lineOf(gateway, LIST)).upstream, undefined, 'answered from the cache');
  });

  t.test('bytes are counted per request on a shared connection', async (t) => {
    const gateway = await startGateway(t);
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    t.teardown(() => void socket.destroy());
    const request = `GET /nowhere HTTP/1.1\r\nHost: localhost:8080\r\n\r\n`;
    const requests = () => gateway.lines().filter(({ msg }) => msg === 'request');
    for (let count = 1; count <= 3; count += 1) {
      socket.write(request);
      await until(() => requests().length >= count);
    }
    const lines = requests();
    t.strictSame(
      lines.map(({ bytes_in }) => bytes_in),
      [request.length, request.length, request.length],
    );
    t.equal(new Set(lines.map(({ bytes_out }) => bytes_out)).size, 1);
  });
});

t.test('metrics', async (t) => {
  const LIST = '/api/cmt/plugin/list';
  const INSTALL = '/api/cmt/plugin/user';

  t.test('metrics by name, labels and value', async (t) => {
    const gateway = await startGateway(t);
    gateway.community.on(`GET ${LIST}`, () => ({}));
    gateway.community.on(`POST ${INSTALL}`, () => ({}));
    const browser = gateway.browser();
    await browser.call(LIST);
    await browser.call(LIST);
    await browser.visit('/plugins/protocol');
    await browser.signIn();
    await browser.call(INSTALL, { method: 'POST', body: '{}' });
    gateway.clock.ahead = 16 * 60_000;
    await browser.call(INSTALL, { method: 'POST', body: '{}' });
    await send(gateway.url, LIST);
    await send(gateway.url, LIST, {
      headers: { 'x-requested-with': 'plugin-square', cookie: 'session=1.x.AAAA' },
    });
    await browser.call('/api/auth/logout', { method: 'POST' });
    await gateway.logged();

    const text = await gateway.registry.metrics();
    const line = (expected: RegExp): void => void t.match(text, expected, String(expected));
    line(
      /^bff_http_request_duration_seconds_count\{route="\/api\/cmt\/plugin\/user",method="POST",status="200"\} 2$/m,
    );
    line(/^bff_upstream_duration_seconds_count\{upstream="community",status="200"\} [1-9]\d*$/m);
    line(/^bff_upstream_duration_seconds_count\{upstream="identity",status="200"\} [1-9]\d*$/m);
    line(/^bff_upstream_inflight 0$/m);
    line(/^bff_token_refresh_total\{outcome="renewed"\} 1$/m);
    line(/^bff_csrf_rejected_total\{reason="header"\} 1$/m);
    line(/^bff_session_total\{event="begun"\} 1$/m);
    line(/^bff_session_total\{event="ended"\} 1$/m);
    line(/^bff_session_total\{event="unusable"\} 1$/m);
    line(/^bff_cookie_bytes_count [1-9]\d*$/m);
    line(/^bff_client_abort_total 0$/m);
    line(/^bff_cache_total\{cache="answers",outcome="miss"\} 2$/m);
    line(/^bff_cache_total\{cache="answers",outcome="hit"\} [1-9]$/m);
    line(/^bff_cache_total\{cache="pages",outcome="miss"\} 1$/m);
    t.notMatch(text, 'bff_redis_up', 'only with a Redis');
  });

  t.test('calls in progress are counted', async (t) => {
    const gateway = await startGateway(t);
    const reached = Promise.withResolvers<void>();
    const pending = Promise.withResolvers<object>();
    gateway.community.on(`GET ${LIST}`, () => {
      reached.resolve();
      return pending.promise;
    });
    const asked = gateway.browser().call(LIST);
    await reached.promise;
    t.match(await gateway.registry.metrics(), /^bff_upstream_inflight 1$/m);
    pending.resolve({});
    await asked;
    t.match(await gateway.registry.metrics(), /^bff_upstream_inflight 0$/m);
    await gateway.community.stop();
    gateway.clock.ahead = 60_000;
    await gateway.browser().call(LIST);
    const text = await gateway.registry.metrics();
    t.match(text, /^bff_upstream_inflight 0$/m, 'failed calls are finished too');
    t.match(text, /^bff_upstream_duration_seconds_count\{upstream="community",status="none"\} 2$/m);
  });

  t.test('label values come from fixed lists, whatever is requested', async (t) => {
    const gateway = await startGateway(t);
    const series = async () => (await gateway.registry.metrics()).split('\n').length;
    const ask = async (from: number) => {
      for (let index = from; index < from + 50; index += 1) {
        await send(gateway.url, `/nowhere-${index}?a=${index}`);
        await send(gateway.url, `/api/cmt/unknown-${index}`, {
          headers: { 'x-requested-with': 'plugin-square' },
        });
        await send(gateway.url, `/plugins/assets/${index}.js`, {
          headers: { origin: `https://${index}.example` },
        });
        await send(gateway.url, `/plugins/${index}`);
        await send(gateway.url, `/api/x${index}`, { headers: { 'sec-fetch-site': `s${index}` } });
      }
      await gateway.logged();
    };
    await ask(0);
    const before = await series();
    await ask(50);
    t.equal(await series(), before);
  });
});
