import t from 'tap';
import { send } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';

const PATH = '/api/helpcenter/article';

t.test('requirement 25: the request headers that are forwarded', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  gateway.helpcenter.on(`POST ${PATH}`, () => ({}));
  await browser.signIn();
  browser.cookies.set('lang', 'jp');
  await browser.call(PATH, {
    method: 'POST',
    body: '{"a":1}',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      accept: 'application/json',
      'user-agent': 'test',
      'if-none-match': '"x"',
      authorization: 'Bearer forged',
      'proxy-authorization': 'Basic x',
      forwarded: 'for=1.1.1.1',
      'x-forwarded-for': '1.1.1.1',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-user': 'root',
      x_forwarded_user: 'root',
      'x-forwarded-uri': '/x',
      'x-real-ip': '1.1.1.1',
      'x-original-url': '/x',
      'x-rewrite-url': '/x',
      'x-http-method-override': 'DELETE',
      'x-custom': 'x',
      te: 'trailers',
      connection: 'close, authorization, x-request-id',
    },
  });
  const headers = gateway.helpcenter.seen(`POST ${PATH}`)[0]?.headers ?? {};
  const { authorization, 'x-request-id': id, traceparent, ...rest } = headers;
  t.match(authorization, /^Bearer e30\./, 'the session’s bearer token cannot be removed');
  t.match(id, /^[0-9a-f-]{36}$/);
  t.match(traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  t.strictSame(rest, {
    host: new URL(gateway.helpcenter.url).host,
    connection: 'keep-alive',
    'content-type': 'application/json; charset=utf-8',
    'content-length': '7',
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'test',
    'if-none-match': '"x"',
    'accept-language': 'ja-JP',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': 'localhost:8080',
  });
});

t.test('headers named by Connection are dropped; a valid traceparent is forwarded', async (t) => {
  const gateway = await startGateway(t);
  gateway.helpcenter.on(`GET ${PATH}`, () => ({}));
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  await send(gateway.url, PATH, {
    headers: { 'x-requested-with': 'plugin-square', connection: 'accept', accept: 'text/x', traceparent },
  });
  const headers = gateway.helpcenter.seen(`GET ${PATH}`)[0]?.headers ?? {};
  t.equal(headers.accept, undefined);
  t.equal(headers.traceparent, traceparent);
  t.equal(headers.authorization, undefined, 'no bearer without a session');
});

t.test('TRUST_PROXY trusts the named proxies only', async (t) => {
  for (const [setting, forwarded] of [
    ['127.0.0.1', '9.9.9.9'],
    ['10.0.0.0/8', '127.0.0.1'],
  ] as const) {
    const gateway = await startGateway(t, { settings: { TRUST_PROXY: setting } });
    gateway.helpcenter.on(`GET ${PATH}`, () => ({}));
    await send(gateway.url, PATH, {
      headers: { 'x-requested-with': 'plugin-square', 'x-forwarded-for': '8.8.8.8, 9.9.9.9' },
    });
    t.equal(gateway.helpcenter.requests[0]?.headers['x-forwarded-for'], forwarded);
  }
});

t.test('requirement 26: the response headers that are returned', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  gateway.helpcenter.on(`GET ${PATH}`, () =>
    stubAnswer(
      200,
      { code: 0 },
      {
        etag: '"e"',
        'content-language': 'en',
        'set-cookie': ['session=stolen', 'a=b'],
        'access-control-allow-origin': '*',
        'content-security-policy': 'none',
        'strict-transport-security': 'max-age=1',
        'x-powered-by': 'x',
        server: 'x',
        'proxy-authenticate': 'Basic',
        'www-authenticate': 'Basic',
        refresh: '0; url=https://evil.example',
        link: '<https://evil.example>; rel=preload',
        'clear-site-data': '"*"',
        'x-request-id': 'theirs',
        vary: '*',
      },
    ),
  );
  const { headers } = await browser.call(PATH);
  const { date, 'x-request-id': id, 'keep-alive': _keepAlive, ...rest } = headers;
  t.ok(date);
  t.not(id, 'theirs');
  t.strictSame(rest, {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    vary: 'Cookie, Accept-Language, Accept-Encoding',
    'content-type': 'application/json; charset=utf-8',
    'content-length': '10',
    'content-language': 'en',
    etag: '"e"',
    connection: 'close',
  });
});

t.test('redirects stay on this site and are never followed', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  const answerTo = async (location: string) => {
    gateway.helpcenter.on(`GET ${PATH}`, () => stubAnswer(302, '', { location }));
    return browser.call(PATH);
  };
  for (const location of [
    'https://evil.example/',
    '//evil.example/',
    'http://127.0.0.1:1/',
    'javascript:alert(1)',
    '/\\evil.example',
  ]) {
    const answer = await answerTo(location);
    t.equal(answer.status, 502, location);
    t.equal(answer.json().code, 'UPSTREAM_INVALID');
    t.equal(answer.headers.location, undefined);
  }
  for (const [location, passed] of [
    ['/plugins/', '/plugins/'],
    ['http://localhost:8080/a?b#c', '/a?b#c'],
    ['/x/..//evil.example', '/evil.example'],
  ] as const) {
    const answer = await answerTo(location);
    t.equal(answer.status, 302);
    t.equal(answer.headers.location, passed);
  }
});

t.test('requirements 15 and 34: session responses are no-store; HSTS on https only', async (t) => {
  const gateway = await startGateway(t, { settings: { PUBLIC_URL: 'https://square.example' } });
  const browser = gateway.browser();
  gateway.helpcenter.on(`GET ${PATH}`, () => stubAnswer(200, {}, { 'cache-control': 'public, max-age=60' }));
  const open = await browser.call(PATH);
  t.equal(open.headers['cache-control'], 'public, max-age=60');
  t.equal(open.headers['strict-transport-security'], 'max-age=31536000');
  await browser.signIn();
  t.equal((await browser.call(PATH)).headers['cache-control'], 'no-store');
  t.equal((await browser.call('/api/auth/session')).headers['cache-control'], 'no-store');
});
