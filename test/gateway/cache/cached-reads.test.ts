import { brotliDecompressSync } from 'node:zlib';
import t from 'tap';
import { type Received, send } from '../../support/browser.ts';
import { type GatewaySetup, startGateway } from '../../support/gateway.ts';
import { sendRaw } from '../../support/raw-request.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';
import { USER } from '../../support/user-service.ts';

t.test('cached reads', async (t) => {
  const LIST = '/api/cmt/plugin/list';
  const OWN = { 'x-requested-with': 'plugin-square' };

  type Headers = Record<string, string>;

  async function watched(t: Parameters<typeof startGateway>[0], settings: Headers = {}) {
    const gateway = await startGateway(t, { settings });
    gateway.community.on(`GET ${LIST}`, ({ headers }) => ({
      count: gateway.community.seen(`GET ${LIST}`).length,
      language: headers['accept-language'],
      filler: 'ü'.repeat(2000),
    }));
    const get = (path = LIST, headers: Headers = OWN): Promise<Received> =>
      send(gateway.url, path, { headers });
    const asked = (): number => gateway.community.seen(`GET ${LIST}`).length;
    return { gateway, get, asked };
  }

  /** The parts of a response that do not depend on cache and compression. */
  function told({ status, headers, text, bytes }: Received) {
    const { date, 'x-request-id': id, 'content-length': length, ...rest } = headers;
    const isWhole = length === undefined || Number(length) === bytes.length;
    const plain = headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes).toString() : text;
    const hasId = /^[0-9a-f-]{36}$/.test(String(id));
    return { status, rest, text: plain, isWhole, hasId, hasDate: date !== undefined };
  }

  t.test('the same request gets the same response from the cache, with headers', async (t) => {
    const { get, asked } = await watched(t);
    const requests: [string, Headers][] = [
      [LIST, OWN],
      [LIST, { ...OWN, 'accept-encoding': 'gzip, br', 'accept-language': 'ru' }],
      [LIST, { ...OWN, cookie: 'lang=kr; theme=dark' }],
      ['/plugins/', { accept: 'text/html', 'sec-fetch-site': 'none', 'accept-encoding': 'br' }],
      ['/plugins/?lang=en-US', { accept: 'text/html' }],
    ];
    for (const [path, headers] of requests) {
      const first = await get(path, headers);
      t.equal(first.status, 200);
      t.strictSame(told(await get(path, headers)), told(first));
      const again = await get(path, { ...headers, traceparent: 'not one', 'x-request-id': 'mine' });
      t.strictSame(told(again), told(first));
      t.not(again.headers['x-request-id'], first.headers['x-request-id']);
      const known = await get(path, { ...headers, 'if-none-match': String(first.headers.etag) });
      t.equal(known.status, 304);
      t.equal(known.text, '');
      const { 'content-type': _type, 'content-encoding': _encoding, ...rest } = told(first).rest;
      const { 'transfer-encoding': _transfer, ...same } = rest;
      t.strictSame(told(known).rest, same);
    }
    t.equal(asked(), 4, 'one for each language');
  });

  t.test('a compressed response is complete', async (t) => {
    const { get } = await watched(t);
    const plain = await get();
    for (let turn = 0; turn < 3; turn += 1) {
      const packed = await get(LIST, { ...OWN, 'accept-encoding': 'br' });
      t.equal(packed.headers['content-encoding'], 'br');
      t.equal(brotliDecompressSync(packed.bytes).toString(), plain.text);
    }
  });

  t.test('responses that depend on other headers are computed each time', async (t) => {
    const { gateway, get } = await watched(t);
    const browser = gateway.browser();
    await browser.signIn();
    for (let turn = 0; turn < 3; turn += 1) t.equal((await get()).status, 200);
    t.hasStrict((await get(LIST, {})).json(), { code: 'CSRF_REFUSED' });
    t.hasStrict((await get(LIST, { ...OWN, 'sec-fetch-site': 'cross-site' })).json(), {
      code: 'CSRF_REFUSED',
    });
    t.hasStrict((await get(LIST, { ...OWN, origin: 'https://evil.example' })).json(), {
      code: 'CSRF_REFUSED',
    });
    t.equal((await get(LIST, { ...OWN, 'accept-language': 'ru' })).json().data.language, 'ru-RU');
    const head = await send(gateway.url, LIST, { method: 'HEAD', headers: OWN });
    t.equal(head.status, 200);
    t.equal(head.text, '');
    const seen = gateway.community.seen(`GET ${LIST}`).length;
    t.equal((await browser.call(LIST)).status, 200);
    t.equal(gateway.community.seen(`GET ${LIST}`).length, seen + 1, 'a session reads without the cache');
    const stale = await get(LIST, { ...OWN, cookie: 'session=not-one' });
    t.match(stale.setCookies, [/^session=;/]);
    const again = await get(LIST, { ...OWN, cookie: 'session=not-one' });
    t.match(again.setCookies, [/^session=;/], 'an invalid cookie is deleted each time');
  });

  t.test('a response is served from the cache only while it is fresh', async (t) => {
    const { gateway, get, asked } = await watched(t);
    for (let turn = 0; turn < 3; turn += 1) await get();
    t.equal(asked(), 1);
    gateway.clock.ahead = 10_100;
    for (let turn = 0; turn < 3; turn += 1) t.equal((await get()).json().data.count, 2);
    t.equal(asked(), 2);
  });

  t.test('an unread body does no harm', async (t) => {
    const { gateway } = await watched(t);
    const head = `GET ${LIST} HTTP/1.1\r\nHost: localhost\r\nX-Requested-With: plugin-square\r\n`;
    for (let turn = 0; turn < 3; turn += 1) {
      const received = await sendRaw(gateway.url, `${head}Content-Length: 2\r\n\r\nhi`);
      t.match(received, /^HTTP\/1\.1 200 /);
    }
  });

  t.test('log line and metrics are the same as for other requests', async (t) => {
    const { gateway, get } = await watched(t);
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await get();
    await get();
    const given = await get(LIST, { ...OWN, traceparent });
    const lines = gateway.lines().filter(({ msg }) => msg === 'request');
    t.match(lines, [
      { route: LIST, status: 200, csrf: 'passed', upstream: { name: 'community' } },
      { route: LIST, status: 200, csrf: 'passed' },
      {
        level: 'info',
        reqId: given.headers['x-request-id'],
        traceparent,
        method: 'GET',
        route: LIST,
        status: 200,
        csrf: 'passed',
        duration_ms: Number,
        bytes_in: Number,
        bytes_out: Number,
      },
    ]);
    t.ok(Number(lines[2]?.bytes_out) > given.bytes.length);
    const figures = await gateway.registry.metrics();
    t.match(figures, 'bff_cache_total{cache="answers",outcome="hit"} 2');
    t.match(figures, `bff_http_request_duration_seconds_count{route="${LIST}",method="GET",status="200"} 3`);
  });

  t.test('each client is counted for the rate limit, also behind a trusted proxy', async (t) => {
    const { get } = await watched(t, { RATE_LIMIT_FACTOR: '0.005', TRUST_PROXY: 'loopback' });
    const call = async (address: string): Promise<number> =>
      (await get(LIST, { ...OWN, 'x-forwarded-for': address })).status;
    for (let turn = 0; turn < 6; turn += 1) t.equal(await call('203.0.113.1'), 200);
    t.equal(await call('203.0.113.1'), 429);
    t.equal(await call('203.0.113.2'), 200);
    t.equal(await call('203.0.113.2'), 200);
    t.equal(await call('203.0.113.1'), 429);
  });
});

t.test('revalidate', async (t) => {
  const VALID = 'GET /user/valid';
  const INSTALL = '/api/cmt/plugin/user';
  const MINUTE = 60_000;

  /** A test that waited for it would not end. */
  const NEVER = { userService: 60 * MINUTE };

  async function signedIn(t: Parameters<typeof startGateway>[0], setup?: GatewaySetup) {
    const gateway = await startGateway(t, setup);
    gateway.community.on(`POST ${INSTALL}`, () => ({}));
    const browser = gateway.browser();
    await browser.signIn();
    return { gateway, browser, install: () => browser.call(INSTALL, { method: 'POST', body: '{}' }) };
  }

  t.test('after five minutes the session is validated once, with the refresh token', async (t) => {
    const { gateway, browser, install } = await signedIn(t);
    gateway.clock.ahead = 4 * MINUTE;
    await install();
    t.equal(gateway.identity.seen(VALID).length, 0);
    gateway.clock.ahead = 6 * MINUTE;
    const before = gateway.received();
    gateway.identity.on(VALID, async () => {
      await until(() => gateway.received() === before + 4);
      return { info: { ...USER, nick_name: 'Countess', access_token: 'CANARY-x' } };
    });
    const answers = await Promise.all([
      install(),
      install(),
      browser.call('/api/auth/session'),
      browser.visit('/plugins/'),
    ]);
    t.ok(answers.every(({ status }) => status === 200));
    t.equal(gateway.identity.seen(VALID).length, 1);
    t.match(gateway.identity.seen(VALID)[0]?.headers.authorization, /^Bearer CANARY-refresh-/);
    t.hasStrict((await browser.call('/api/auth/session')).json().data, { user: { nick_name: 'Countess' } });
    gateway.clock.ahead = 10 * MINUTE;
    await install();
    t.equal(gateway.identity.seen(VALID).length, 1, 'and not again for five minutes');
  });

  t.test('a clock that was set back does not put the next validation off', async (t) => {
    const { gateway, install } = await signedIn(t);
    gateway.clock.ahead = -4 * MINUTE;
    await install();
    t.equal(gateway.identity.seen(VALID).length, 0);
    gateway.clock.ahead = -6 * MINUTE;
    await install();
    t.equal(gateway.identity.seen(VALID).length, 1);
  });

  t.test(
    'R 8.9: the first document of a browser session validates the session, whatever its age',
    async (t) => {
      const { gateway, browser } = await signedIn(t);
      gateway.identity.on(VALID, () => ({ info: { ...USER, nick_name: 'Countess' } }));
      await browser.visit('/plugins/');
      t.equal(gateway.identity.seen(VALID).length, 0, 'it has just begun here');
      browser.cookies.delete('running');
      gateway.clock.ahead += 2 * MINUTE;
      const first = await browser.visit('/plugins/');
      t.match(first.text, 'Countess');
      t.equal(gateway.identity.seen(VALID).length, 1);
      t.strictSame(
        first.setCookies.filter((line) => line.startsWith('running=')),
        ['running=1; Path=/; HttpOnly; SameSite=Strict'],
        'for as long as the browser runs',
      );
      await browser.visit('/plugins/');
      await browser.call('/api/auth/session');
      t.equal(gateway.identity.seen(VALID).length, 1, 'and no other');

      browser.cookies.delete('running');
      gateway.clock.ahead += 2 * MINUTE;
      gateway.identity.on(VALID, () => stubAnswer(401, {}));
      const ended = await browser.visit('/plugins/');
      t.equal(ended.status, 200);
      t.equal(browser.cookies.has('session'), false, 'a session that has ended meanwhile');

      const visitor = gateway.browser();
      await visitor.visit('/plugins/');
      t.strictSame([...visitor.cookies.keys()], [], 'visitors get no cookie');
    },
  );

  t.test(
    'R 9.19: a page learns when to ask again, so that the token is new before the next click',
    async (t) => {
      const { gateway, browser } = await signedIn(t);
      const refreshIn = async () =>
        Number(Object((await browser.call('/api/auth/session')).json().data).refresh_in);
      const refresh_in = await refreshIn();
      t.ok(refresh_in > 14 * MINUTE && refresh_in <= 15 * MINUTE - 5000, `${refresh_in} ms`);
      gateway.clock.ahead = refresh_in;
      t.equal(gateway.issued.refreshes, 0);
      t.ok((await refreshIn()) > 14 * MINUTE);
      t.equal(gateway.issued.refreshes, 1);
      await gateway.identity.stop();
      gateway.clock.ahead += 16 * MINUTE;
      t.equal(await refreshIn(), 30_000, 'while it cannot be refreshed');
    },
  );

  t.test('the user info is found at any place of the body', async (t) => {
    for (const body of [
      { info: { ...USER, nick_name: 'New' } },
      { code: 0, data: { info: { ...USER, nick_name: 'New' } } },
      { code: 200, data: {}, info: { ...USER, nick_name: 'New' } },
      { code: 0, data: { data: { info: { ...USER, nick_name: 'New' } } } },
      { code: 0, data: { ...USER, nick_name: 'New' } },
    ]) {
      const { gateway, browser } = await signedIn(t);
      gateway.clock.ahead = 6 * MINUTE;
      gateway.identity.on(VALID, () => stubAnswer(200, body));
      t.hasStrict((await browser.call('/api/auth/session')).json().data, { user: { nick_name: 'New' } });
    }
  });

  t.test('401 ends the session', async (t) => {
    for (const refusal of [stubAnswer(401, {}), stubAnswer(200, { code: 401, message: 'gone' })]) {
      const { gateway, browser, install } = await signedIn(t);
      const old = browser.cookies.get('session') ?? '';
      gateway.clock.ahead = 6 * MINUTE;
      gateway.identity.on(VALID, () => refusal);
      const ended = await install();
      t.equal(ended.status, 401);
      t.strictSame(ended.json(), { code: 'SESSION_ENDED', message: 'do not have local authInfo' });
      t.equal(browser.cookies.size, 0);
      t.strictSame(gateway.community.seen(`POST ${INSTALL}`), []);
      gateway.identity.on(VALID, () => ({ info: USER }));
      browser.cookies.set('session', old);
      t.equal((await install()).status, 401, 'for good');
      t.ok(gateway.lines().some(({ event }) => event === 'validation_refused'));
    }
  });

  t.test('a failure keeps the session and pauses the validation', async (t) => {
    for (const failure of [
      stubAnswer(500, 'oops'),
      stubAnswer(404, {}),
      stubAnswer(403, {}),
      stubAnswer(200, '<html>'),
      stubAnswer(200, { data: { info: { ...USER, user_id: 8 } } }),
    ]) {
      const { gateway, browser, install } = await signedIn(t);
      gateway.clock.ahead = 6 * MINUTE;
      gateway.identity.on(VALID, () => failure);
      t.equal((await install()).status, 200);
      t.equal((await install()).status, 200);
      t.equal(gateway.identity.seen(VALID).length, 1);
      t.hasStrict((await browser.call('/api/auth/session')).json().data, {
        user: { user_id: 7, nick_name: 'Ada' },
      });
      gateway.clock.ahead += 31_000;
      await install();
      t.equal(gateway.identity.seen(VALID).length, 2);
    }
  });

  t.test('a user service that is down or hangs ends no session', async (t) => {
    const { gateway, install } = await signedIn(t, { timeouts: { ...NEVER, userService: 50 } });
    gateway.clock.ahead = 6 * MINUTE;
    gateway.identity.on(VALID, () => new Promise(() => undefined));
    t.equal((await install()).status, 200, 'the call goes on after the timeout');
    gateway.clock.ahead += 31_000;
    await gateway.identity.stop();
    t.equal((await install()).status, 200);
  });

  t.test('a page does not wait for a slow refresh', async (t) => {
    const { gateway, browser } = await signedIn(t, { timeouts: { ...NEVER, page: 50 } });
    gateway.clock.ahead = 16 * MINUTE;
    gateway.identity.on('POST /user/refresh_token', () => new Promise(() => undefined));
    t.equal((await browser.visit('/plugins/')).status, 200);
    t.equal(browser.cookies.has('session'), true);
  });
});
