import { createHash } from 'node:crypto';
import t from 'tap';
import { returnPath } from '../../../server/gateway/sign-in/login-params.ts';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { USER } from '../../support/user-service.ts';

t.test('sign in', async (t) => {
  t.test('the whole sign-in: login page, callback, session, sign-out', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();

    const started = await browser.visit('/api/auth/login?return_to=/plugins/plugin/abcdefgh&page=sign_up');
    t.equal(started.status, 302);
    const login = new URL(started.headers.location ?? '');
    t.equal(login.origin + login.pathname, 'http://localhost:8080/user/login');
    const { redirect_uri, code_challenge, ...parameters } = Object.fromEntries(login.searchParams);
    t.match(code_challenge, /^[\w-]{43}$/);
    t.strictSame(parameters, {
      response_type: 'code',
      code_challenge_method: 'S256',
      from: '1',
      channel: 'official',
      product: '1',
      ux_mode: 'redirect',
      page: 'sign_up',
    });
    const callback = new URL(redirect_uri ?? '');
    t.equal(callback.origin + callback.pathname, 'http://localhost:8080/api/auth/callback');
    t.match(callback.searchParams.get('nonce'), /^[\w-]{32}$/);
    t.match(started.setCookies, [/^login=.*; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/]);
    t.equal(started.headers['cache-control'], 'no-store');

    const finished = await browser.visit(`/api/auth/callback${callback.search}&code=good`, {
      site: 'same-origin',
    });
    t.equal(finished.status, 303);
    t.equal(finished.headers.location, '/plugins/plugin/abcdefgh');
    t.equal(finished.headers['cache-control'], 'no-store');
    t.strictSame([...browser.cookies.keys()], ['session'], 'the transaction is removed, the session exists');

    const session = await browser.call('/api/auth/session');
    t.equal(session.status, 200);
    t.hasStrict(session.json(), {
      code: 0,
      data: { signed_in: true, role: 0, user: { user_id: 7, nick_name: 'Ada' } },
    });

    const left = await browser.call('/api/auth/logout', { method: 'POST' });
    t.equal(left.status, 200);
    t.strictSame(left.json().data, { redirect_url: null });
    t.equal(browser.cookies.size, 0);
    const [told] = gateway.identity.seen('POST /user/logout');
    t.match(told?.headers.authorization, /^Bearer CANARY-refresh-/);
    const after = await browser.call('/api/auth/session');
    t.equal(after.json().data.signed_in, false);
    browser.close();
  });

  t.test('our own login page is told what one signs in for, another host is not', async (t) => {
    const purposeOf = async (settings: Record<string, string>, returnTo: string) => {
      const browser = (await startGateway(t, { settings })).browser();
      const { headers } = await browser.visit(`/api/auth/login?return_to=${encodeURIComponent(returnTo)}`);
      return new URL(headers.location ?? '').searchParams.get('purpose');
    };
    t.equal(await purposeOf({}, '/plugins/publish-plugin/single?plugin_key=abc'), 'publish');
    t.equal(await purposeOf({}, '/plugins/publish-plugin/batch'), 'publish');
    t.equal(await purposeOf({}, '/plugins/my-plugins'), null);
    t.equal(await purposeOf({ LOGIN_URL: 'https://login.example/' }, '/plugins/publish-plugin/single'), null);
  });

  t.test('R 9.7: without a matching transaction nothing is exchanged', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const missing = await browser.call('/api/auth/callback?nonce=x&code=good');
    t.equal(missing.status, 400);
    t.strictSame(missing.json(), { code: 'LOGIN_TRANSACTION_INVALID', message: 'code err' });

    const other = gateway.browser();
    const started = await other.visit('/api/auth/login');
    const stranger = new URL(new URL(started.headers.location ?? '').searchParams.get('redirect_uri') ?? '');
    const foreign = await browser.visit(`${stranger.pathname}${stranger.search}&code=good`);
    t.equal(foreign.status, 400, 'a nonce of another browser');
    t.match(foreign.headers['content-type'], 'text/html');
    t.match(foreign.text, 'url=/plugins/?login_error=LOGIN_TRANSACTION_INVALID');

    await browser.visit('/api/auth/login');
    const mixed = await browser.visit('/api/auth/callback?nonce=wrong&code=good');
    t.equal(mixed.status, 400, 'a transaction of this browser with another nonce');
    t.strictSame(gateway.identity.requests, [], 'the user service was never called');
    t.equal(browser.cookies.has('session'), false);
  });

  t.test("a return that names no sign-in: 'auth never init'", async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const missing = await browser.call('/api/auth/callback?code=good');
    t.equal(missing.status, 400);
    t.strictSame(missing.json(), { code: 'AUTH_NOT_CONFIGURED', message: 'auth never init' });
    const shown = await browser.visit('/api/auth/callback?code=good');
    t.match(shown.text, 'url=/plugins/?login_error=AUTH_NOT_CONFIGURED');
    t.strictSame(gateway.identity.requests, []);
  });

  t.test('two tabs may sign in at the same time', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const nonces = [];
    for (const path of ['/plugins/a', '/plugins/b']) {
      const started = await browser.visit(`/api/auth/login?return_to=${path}`);
      const callback = new URL(
        new URL(started.headers.location ?? '').searchParams.get('redirect_uri') ?? '',
      );
      nonces.push(callback.searchParams.get('nonce'));
    }
    const first = await browser.visit(`/api/auth/callback?nonce=${nonces[0]}&code=good`);
    t.equal(first.headers.location, '/plugins/a');
    const second = await browser.visit(`/api/auth/callback?nonce=${nonces[1]}&code=good`);
    t.equal(second.headers.location, '/plugins/b');
  });

  t.test('a window of its own beside another tab: each ends its own sign-in, in either order', async (t) => {
    const gateway = await startGateway(t);
    for (const order of [
      ['popup', 'redirect'],
      ['redirect', 'popup'],
    ]) {
      const browser = gateway.browser();
      const returns: Record<string, string> = {};
      for (const mode of ['redirect', 'popup']) {
        const started = await browser.visit(`/api/auth/login?return_to=/plugins/${mode}&ux_mode=${mode}`);
        const asked = new URL(started.headers.location ?? '').searchParams;
        t.equal(asked.get('ux_mode'), mode);
        const { pathname, search } = new URL(asked.get('redirect_uri') ?? '');
        returns[mode] = `${pathname}${search}&code=good`;
      }
      for (const mode of order) {
        const finished = await browser.visit(returns[mode] ?? '', { site: 'same-origin' });
        if (mode === 'redirect') t.equal(finished.headers.location, '/plugins/redirect', order.join());
        else t.match(finished.text, 'data-return-to="/plugins/popup" data-mode="popup"', order.join());
        t.match(finished.setCookies.join(), 'session=');
      }
    }
  });

  t.test('a transaction ends after ten minutes', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const started = await browser.visit('/api/auth/login');
    const callback = new URL(new URL(started.headers.location ?? '').searchParams.get('redirect_uri') ?? '');
    gateway.clock.ahead = 10 * 60_000;
    t.equal((await browser.visit(`${callback.pathname}${callback.search}&code=good`)).status, 400);
  });

  t.test('a code that fails', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const refused = await browser.signIn({ code: 'wrong-code"><script>' });
    t.equal(refused.status, 400);
    t.match(refused.text, 'login_error=CODE_INVALID');
    t.notMatch(refused.text, 'wrong-code');
    t.equal((await browser.signIn({ code: '' })).status, 400, 'no code at all');

    gateway.identity.on('GET /user/login/code/user', () => stubAnswer(200, { code: 401, message: 'no' }));
    t.equal((await browser.signIn()).status, 400, 'an error envelope with status 200');
    gateway.identity.on('GET /user/login/code/user', () => stubAnswer(500, 'oops'));
    t.equal((await browser.signIn()).status, 502);
    gateway.identity.on('GET /user/login/code/user', () => ({ user_id: 7 }));
    t.equal((await browser.signIn()).status, 502, 'a response without tokens');
    gateway.identity.on('GET /user/login/code/user', () => ({
      ...USER,
      access_token: 'a\r\nx-injected: 1',
      refresh_token: 'b',
    }));
    t.equal((await browser.signIn()).status, 502, 'an invalid token');
    await gateway.identity.stop();
    const down = await browser.signIn();
    t.equal(down.status, 502);
    t.match(down.text, 'login_error=UPSTREAM_UNAVAILABLE');
    t.equal(browser.cookies.has('session'), false);
    t.notMatch(gateway.logText(), 'wrong-code', 'no code in the log');
  });

  t.test('R 9.1, R 9.2: cookies of an https site', async (t) => {
    const gateway = await startGateway(t, { settings: { PUBLIC_URL: 'https://square.example' } });
    const browser = gateway.browser();
    const started = await browser.visit('/api/auth/login');
    t.match(started.setCookies, [
      /^__Host-Http-login=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ]);
    const framed = await browser.visit('/api/auth/login?ux_mode=auth');
    t.match(framed.setCookies, [
      /^__Host-Http-login-frame=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; Partitioned; SameSite=None$/,
    ]);
    const finished = await browser.signIn();
    t.match(
      finished.setCookies.find((line) => line.startsWith('__Host-Http-session=')),
      /^__Host-Http-session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const left = await browser.call('/api/auth/logout', { method: 'POST' });
    t.ok(
      left.setCookies.includes('__Host-Http-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict'),
    );
  });

  t.test('popup and frame end in a page that tells their host', async (t) => {
    const gateway = await startGateway(t);
    for (const uxMode of ['popup', 'auth']) {
      const browser = gateway.browser();
      const finished = await browser.signIn({ uxMode, returnTo: '/plugins/?q="><img>' });
      t.equal(finished.status, 200);
      const script = /<script>([\s\S]*)<\/script>/.exec(finished.text)?.[1] ?? '';
      const hash = createHash('sha256').update(script).digest('base64');
      t.match(finished.headers['content-security-policy'], `script-src 'sha256-${hash}'`);
      t.match(script, /postMessage\(.*location\.origin\)/);
      t.notMatch(finished.text, '<img>');
      t.equal(browser.cookies.has('session'), true, uxMode);
    }
  });
});

t.test('return addresses', async (t) => {
  const SITE = 'https://square.example';
  const HOME = '/plugins/';

  /** Paths that lead to another site, collected from the advisories of other gateways (R 9.10). */
  const ATTEMPTS = [
    '',
    ' ',
    'plugins/',
    'https://evil.example/',
    'https://square.example.evil.example/',
    'https://square.example@evil.example/',
    'https:evil.example',
    'https:/evil.example',
    '//evil.example',
    '///evil.example',
    '////evil.example//',
    '/\\evil.example',
    '\\/evil.example',
    '\\\\evil.example',
    '/\\/evil.example',
    '/%5cevil.example',
    '/%5C%5Cevil.example',
    '/%2fevil.example',
    '/%2F%2Fevil.example',
    '/%252fevil.example',
    '/%25252fevil.example',
    '/%2e%2e//evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/plugins/..//evil.example',
    '/plugins/../..//evil.example',
    '/plugins/%2e%2e//evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n/evil.example',
    '/%09/evil.example',
    '/%0a/evil.example',
    '/%0d%0aLocation:%20https://evil.example',
    '/%00/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/ /evil.example',
    '/\u2028/evil.example',
    '/\u200b/evil.example',
    '/\u00a0/evil.example',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'mailto:a@evil.example',
    '@evil.example',
    '?next=//evil.example',
    '#//evil.example',
    '.evil.example',
    '/%',
    '/%zz',
    '/%ff',
    '/%c0%af/evil.example',
    '/api/auth/logout',
    '/api/auth/login?return_to=/',
    '/%61pi/auth/login',
    '/API/auth/login',
    '/plugins/../api/auth/login',
    '/user/login',
    '/user/login?x=1',
    '/user/login/bind/',
    '/user/login/other',
  ];

  t.test('an address that could leave the site becomes the home page', async (t) => {
    for (const attempt of ATTEMPTS) t.equal(returnPath(attempt, SITE), HOME, encodeURIComponent(attempt));
    t.equal(returnPath(undefined, SITE), HOME);
  });

  t.test('paths of this site are kept, normalized by the URL standard', async (t) => {
    for (const path of [
      '/',
      '/plugins/',
      '/plugins/?tag=1&q=%E4%BD%A0#top',
      '/app',
      '/plugins/plugin/abc-DEF_1',
      '/apiary',
      '/user/login/bind?id=1&mainUrl=%2Fplugins%2F',
    ]) {
      t.equal(returnPath(path, SITE), path);
    }
    t.equal(returnPath('/plugins/a/../b', SITE), '/plugins/b');
    t.equal(returnPath('/plugins/?q=//evil.example', SITE), '/plugins/?q=//evil.example');
    t.equal(returnPath('/plugins/插件', SITE), '/plugins/%E6%8F%92%E4%BB%B6');
  });

  t.test('an invalid return address causes no error', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    for (const query of ['return_to=%ff', 'return_to', 'return_to=%', 'return_to[]=x', '__proto__=x']) {
      t.equal((await browser.visit(`/api/auth/login?${query}`)).status, 302, query);
    }
    const long = await browser.visit(`/api/auth/login?return_to=/${'x'.repeat(3000)}`);
    t.equal(long.status, 400);
    t.equal(long.json().code, 'VALIDATION_FAILED');
    const repeated = await browser.visit('/api/auth/login?return_to=/a&return_to=/b');
    t.ok([302, 400].includes(repeated.status));
  });
});
