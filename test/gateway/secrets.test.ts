import t from 'tap';
import { startGateway } from '../support/gateway.ts';
import { stubAnswer } from '../support/stub-upstream.ts';
import { until } from '../support/until.ts';
import { USER } from '../support/user-service.ts';

t.test('requirement 14: no token and no code in anything that leaves the gateway', async (t) => {
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
  community.on('POST /api/cmt/plugin/user', () => stubAnswer(401, { code: 'TOKEN_INVALID', message: 'no' }));
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
