import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import t from 'tap';
import { send } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { sendRaw, statusOf } from '../support/raw-request.ts';
import { stubAnswer } from '../support/stub-upstream.ts';
import { until } from '../support/until.ts';
import { USER } from '../support/user-service.ts';

t.test('requests of other sites', async (t) => {
  const OWN = { host: 'localhost:8080', 'x-requested-with': 'plugin-square' };

  t.test('R 9.11, R 9.12: calls of other sites are refused', async (t) => {
    const gateway = await startGateway(t);
    const refused: [string, Record<string, string>][] = [
      ['without the header', {}],
      ['with another header', { 'x-requested-with': 'XMLHttpRequest' }],
      ['from another origin', { ...OWN, origin: 'https://evil.example' }],
      ['from a sandboxed frame', { ...OWN, origin: 'null' }],
      ['from an origin that begins as ours', { ...OWN, origin: 'http://localhost:8080.evil.example' }],
      ['from another port', { ...OWN, origin: 'http://localhost:8081' }],
      ['from another site', { ...OWN, 'sec-fetch-site': 'cross-site' }],
      ['from a sibling host', { ...OWN, 'sec-fetch-site': 'same-site' }],
    ];
    const calls = [
      ['GET', '/api/cmt/plugin/list'],
      ['POST', '/api/cmt/plugin/user'],
      ['GET', '/api/cmt/manager/plugin/abcdefgh/download'],
      ['GET', '/api/cmt/not/in/the/contract'],
      ['GET', '/api/helpcenter/article'],
      ['GET', '/api/auth/session'],
      ['GET', '/api/auth/userinfo'],
      ['POST', '/api/auth/logout'],
      ['POST', '/user/page/sign_in'],
      ['GET', '/%61pi/auth/session'],
    ] as const;
    for (const [what, headers] of refused) {
      for (const [method, path] of calls) {
        const answer = await send(gateway.url, path, { method, headers });
        t.equal(answer.status, 403, `${method} ${path} ${what}`);
        t.equal(answer.json().code, 'CSRF_REFUSED');
      }
    }
    const stubs = [gateway.community, gateway.helpcenter, gateway.identity];
    t.strictSame(
      stubs.flatMap(({ requests }) => requests),
      [],
      'no upstream was called',
    );
    t.match(await gateway.registry.metrics(), 'bff_csrf_rejected_total{reason="origin"} 40');
    t.ok(gateway.lines().some(({ event, reason }) => event === 'csrf_refused' && reason === 'fetch-site'));
  });

  t.test('calls of our own pages are accepted', async (t) => {
    const gateway = await startGateway(t);
    gateway.community.on('GET /api/cmt/plugin/tag/list', () => ({ tag_list: [] }));
    for (const headers of [
      OWN,
      { ...OWN, origin: 'http://localhost:8080' },
      { ...OWN, 'sec-fetch-site': 'same-origin' },
    ]) {
      t.equal((await send(gateway.url, '/api/cmt/plugin/tag/list', { headers })).status, 200);
    }
  });

  t.test('public files and the sign-in redirects need no header', async (t) => {
    const gateway = await startGateway(t);
    const name = `${'a'.repeat(64)}-320.webp`;
    gateway.community.on(`GET /api/cmt/media/${name}`, () => ({}));
    const headers = { 'sec-fetch-site': 'cross-site', accept: 'text/html' };
    t.equal((await send(gateway.url, `/api/cmt/media/${name}`, { headers })).status, 200);
    t.equal((await send(gateway.url, '/api/auth/login', { headers })).status, 302);
    t.equal((await send(gateway.url, '/api/auth/callback', { headers })).status, 400);
  });

  t.test('R 9.13: no CORS headers', async (t) => {
    const gateway = await startGateway(t);
    gateway.community.on('GET /api/cmt/plugin/tag/list', (_seen, response) => {
      response.setHeader('access-control-allow-origin', '*');
      return {};
    });
    const read = await send(gateway.url, '/api/cmt/plugin/tag/list', { headers: OWN });
    const preflight = await send(gateway.url, '/api/cmt/plugin/tag/list', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    });
    t.equal(preflight.status, 403);
    for (const { headers } of [read, preflight]) {
      t.strictSame(
        Object.keys(headers).filter((name) => name.startsWith('access-control')),
        [],
      );
    }
  });
});

t.test('mistakes of similar proxies', async (t) => {
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
    gateway.community.on('POST /api/cmt/plugin/user', () =>
      stubAnswer(401, { code: 'TOKEN_INVALID', large }),
    );
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
});

t.test('secrets', async (t) => {
  t.test('R 9.14: no token and no code in anything that leaves the gateway', async (t) => {
    const gateway = await startGateway(t);
    const { issued, identity, community, helpcenter } = gateway;
    const code = 'CANARY-code-7f3a';
    issued.secrets.push(code);
    identity.on('GET /user/login/code/user', ({ query }) => {
      if (query.get('code') !== code) return stubAnswer(400, {});
      const token = issued.accessToken();
      return {
        ...USER,
        access_token: token,
        refresh_token: `CANARY-r-${token}`,
        extra: token,
        nested: { token },
      };
    });
    community.on('GET /api/cmt/plugin/list', () => ({ total: 0 }));
    community.on('POST /api/cmt/plugin/user', () =>
      stubAnswer(401, { code: 'TOKEN_INVALID', message: 'no' }),
    );
    helpcenter.on('GET /api/helpcenter/x', () => ({}));

    const browser = gateway.browser();
    await browser.visit(`/plugins/?code=${code}`);
    await browser.visit(`/api/auth/callback?nonce=x&code=${code}`);
    const signedIn = await browser.signIn({ code });
    t.equal(signedIn.status, 303);
    await browser.visit('/plugins/');
    for (const path of [
      '/api/auth/session',
      '/api/auth/userinfo',
      '/api/cmt/plugin/list',
      '/api/helpcenter/x',
    ]) {
      t.equal((await browser.call(path)).status, 200, path);
    }
    t.equal((await browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' })).status, 401);
    gateway.clock.ahead = 16 * 60_000;
    t.equal((await browser.call('/api/helpcenter/x')).status, 200);
    await helpcenter.stop();
    t.equal((await browser.call('/api/helpcenter/x')).status, 502);
    t.equal((await browser.call('/api/auth/logout', { method: 'POST' })).status, 200);
    identity.on('GET /user/login/code/user', () => stubAnswer(500, {}));
    t.equal((await browser.signIn({ code })).status, 502);
    await identity.stop();
    t.equal((await browser.signIn({ code })).status, 502);

    const out = [...browser.received, gateway.logText(), await gateway.registry.metrics()].join('\n');
    t.ok(out.length > 5000);
    t.ok(issued.secrets.length > 5);
    for (const secret of issued.secrets) {
      t.notOk(out.includes(secret), 'not in any sent byte');
      t.notOk(out.includes(encodeURIComponent(secret)));
      t.notOk(out.includes(Buffer.from(secret).toString('base64url').slice(0, 40)));
    }
    t.notMatch(out, 'CANARY');
  });

  t.test('one log line per request, by route, without queries, cookies or names', async (t) => {
    const gateway = await startGateway(t);
    gateway.community.on('GET /api/cmt/plugin/list', () => ({}));
    const browser = gateway.browser();
    await browser.signIn();
    await browser.call('/api/cmt/plugin/list?keyword=very-private');
    await browser.call('/api/cmt/nothing/very-private');
    const lines = await until(() => {
      const found = gateway.lines().filter(({ msg }) => msg === 'request');
      return found.length >= 4 && found;
    });
    t.match(lines, [
      { method: 'GET', route: '/api/auth/login', status: 302 },
      { method: 'GET', route: '/api/auth/callback', status: 303 },
      {
        level: 'info',
        method: 'GET',
        route: '/api/cmt/plugin/list',
        status: 200,
        duration_ms: Number,
        reqId: /^[0-9a-f-]{36}$/,
        session: /^[\w-]{12}$/,
        upstream: { name: 'community', attempts: 1, status: 200, first_byte_ms: Number, total_ms: Number },
      },
      { method: 'GET', route: '/api/*', status: 404, code: 'NOT_FOUND' },
    ]);
    t.notMatch(gateway.logText(), 'very-private');
    t.notMatch(gateway.logText(), browser.cookies.get('session') ?? '');
    t.match(
      await gateway.registry.metrics(),
      'bff_http_request_duration_seconds_count{route="/api/cmt/plugin/list",method="GET",status="200"} 1',
    );
  });
});
