import t from 'tap';
import { mayBeFramed } from '../../../server/gateway/sign-in/login-page.ts';
import type { Browser } from '../../support/browser.ts';
import { type GatewaySetup, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type StubUpstream, startStub, stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';

t.test('sign-in in a frame', async (t) => {
  const SITE = 'https://square.example';
  const LOGIN = 'https://login.example';

  type Headers = Parameters<typeof mayBeFramed>[0];

  const policy = (value: string | string[]): Headers => ({ 'content-security-policy': value });
  const options = (value: string | string[]): Headers => ({ 'x-frame-options': value });

  t.test('which pages a browser shows in a frame of another site', async (t) => {
    const ALLOWED: readonly Headers[] = [
      {},
      policy("default-src 'none'"),
      policy('frame-ancestors *'),
      policy('frame-ancestors https:'),
      policy('frame-ancestors http:'),
      policy('frame-ancestors https://square.example'),
      policy('frame-ancestors https://square.example:443/'),
      policy('frame-ancestors square.example'),
      policy('frame-ancestors https://*.example'),
      policy('FRAME-ANCESTORS HTTPS://SQUARE.EXAMPLE'),
      policy("script-src 'self';  frame-ancestors  https://other.example   https://square.example ;"),
      policy('frame-ancestors https://square.example; frame-ancestors none'),
      policy(['frame-ancestors *', "default-src 'self'"]),
      { ...policy('frame-ancestors https://square.example'), ...options('DENY') },
      { 'content-security-policy-report-only': "frame-ancestors 'none'" },
      options('ALLOW-FROM https://other.example'),
      options('nonsense'),
      options(''),
    ];
    const REFUSED: readonly Headers[] = [
      policy("frame-ancestors 'none'"),
      policy("frame-ancestors 'self'"),
      policy('frame-ancestors'),
      policy('frame-ancestors https://other.example'),
      policy('frame-ancestors https://square.example.evil.example'),
      policy('frame-ancestors https://square.example:8443'),
      policy('frame-ancestors https://*.square.example'),
      policy('frame-ancestors wss://square.example'),
      policy('frame-ancestors https://square.example/deep'),
      policy('frame-ancestors ??? \u0000'),
      policy(['frame-ancestors *', "frame-ancestors 'none'"]),
      policy("frame-ancestors *, frame-ancestors 'none'"),
      { ...policy("frame-ancestors 'none'"), ...options('ALLOWALL') },
      options('DENY'),
      options(' deny '),
      options('SAMEORIGIN'),
      options(['SAMEORIGIN', 'DENY']),
      options('SAMEORIGIN, ALLOW-FROM https://square.example'),
    ];
    for (const headers of ALLOWED) t.equal(mayBeFramed(headers, LOGIN, SITE), true, JSON.stringify(headers));
    for (const headers of REFUSED) t.equal(mayBeFramed(headers, LOGIN, SITE), false, JSON.stringify(headers));
  });

  t.test('which pages a browser shows in a frame of the same site', async (t) => {
    t.equal(mayBeFramed(policy("frame-ancestors 'self'"), SITE, SITE), true);
    t.equal(mayBeFramed(options('SAMEORIGIN'), SITE, SITE), true);
    t.equal(mayBeFramed(options(['SAMEORIGIN', 'sameorigin']), SITE, SITE), true);
    t.equal(mayBeFramed(options('DENY'), SITE, SITE), false);
    t.equal(mayBeFramed(policy('frame-ancestors https://chat.example'), SITE, SITE), false);
    t.equal(
      mayBeFramed(policy('frame-ancestors http://square.example'), LOGIN, SITE),
      true,
      'http allows https too',
    );
    t.equal(
      mayBeFramed(policy('frame-ancestors localhost:*'), 'http://localhost:1', 'http://localhost:2'),
      true,
    );
    t.equal(
      mayBeFramed(policy('frame-ancestors localhost'), 'http://localhost:1', 'http://localhost:2'),
      false,
    );
    t.equal(mayBeFramed(policy('frame-ancestors http://[::1]:2'), 'http://[::1]:1', 'http://[::1]:2'), true);
  });

  const HTML = { 'content-type': 'text/html; charset=utf-8' };

  /** A site on this machine with a stub as its login page. */
  async function gatewayBefore(
    t: Parameters<typeof startGateway>[0],
    login: StubUpstream,
    setup: GatewaySetup = {},
  ): Promise<TestGateway> {
    const settings = {
      PUBLIC_URL: 'http://127.0.0.1:8080',
      LOGIN_URL: `${login.url}/login`,
      ...setup.settings,
    };
    return startGateway(t, { ...setup, settings });
  }

  async function toldBy(gateway: TestGateway): Promise<unknown> {
    const { text } = await gateway.browser().visit(`/plugins/plugin/${Math.random()}`);
    return JSON.parse(/id="boot">([^<]*)</.exec(text)?.[1] ?? '{}').login_frame;
  }

  /** The value in pages after the login page was checked `times` times. */
  async function settled(gateway: TestGateway, times = 1): Promise<unknown> {
    await toldBy(gateway);
    const checked = () => gateway.lines().filter(({ msg }) => msg === 'login page frame checked');
    await until(() => checked().length >= times);
    return toldBy(gateway);
  }

  t.test('our own login page is framed if FRAME_ANCESTORS allows it', async (t) => {
    t.equal(await toldBy(await startGateway(t)), true);
    const elsewhere = await startGateway(t, { settings: { FRAME_ANCESTORS: 'https://chat.example' } });
    t.equal(await toldBy(elsewhere), false);
    const both = await startGateway(t, { settings: { FRAME_ANCESTORS: "'self' https://chat.example" } });
    t.equal(await toldBy(both), true);
  });

  t.test('another host is checked at the start and hourly, in the background', async (t) => {
    const login = await startStub(t);
    let answer = stubAnswer(200, '<p>', HTML);
    login.on('GET /login', () => answer);
    const gateway = await gatewayBefore(t, login);
    t.equal(await settled(gateway), true);
    const [asked] = login.requests;
    t.match(asked?.headers, { accept: /text\/html/, 'sec-fetch-dest': 'iframe' });
    t.equal(asked?.query.get('ux_mode'), 'auth');
    t.equal(asked?.headers.cookie, undefined);
    t.equal(asked?.headers.authorization, undefined);

    answer = stubAnswer(200, '<p>', { ...HTML, 'x-frame-options': 'DENY' });
    t.equal(await toldBy(gateway), true, 'the last result is cached');
    t.equal(login.requests.length, 1);
    gateway.clock.ahead += 61 * 60_000;
    t.equal(await settled(gateway, 2), false);
  });

  t.test('LOGIN_FRAME yes and no need no check', async (t) => {
    const login = await startStub(t);
    login.on('GET /login', () => stubAnswer(200, '<p>', { ...HTML, 'x-frame-options': 'DENY' }));
    t.equal(await toldBy(await gatewayBefore(t, login, { settings: { LOGIN_FRAME: 'yes' } })), true);
    t.equal(await toldBy(await gatewayBefore(t, login, { settings: { LOGIN_FRAME: 'no' } })), false);
    t.strictSame(login.requests, []);
  });

  t.test('redirects are followed on the login host only', async (t) => {
    const login = await startStub(t);
    const other = await startStub(t);
    login.on('GET /login', () => stubAnswer(302, '', { location: '/form?x=1' }));
    login.on('GET /form', () => stubAnswer(200, '<p>', HTML));
    t.equal(await settled(await gatewayBefore(t, login)), true);

    login.on('GET /form', () => stubAnswer(302, '', { location: `${other.url}/form` }));
    t.equal(await settled(await gatewayBefore(t, login)), false);
    t.strictSame(other.requests, [], 'no other request');

    login.on('GET /form', () => stubAnswer(302, '', { location: '/form' }));
    t.equal(await settled(await gatewayBefore(t, login)), false, 'a circle ends');
    t.equal(login.requests.length, 2 + 2 + 6);

    for (const location of ['http://[', 'javascript:alert(1)', 'file:///etc/passwd', '//127.0.0.1:1/']) {
      login.on('GET /form', () => stubAnswer(302, '', { location }));
      t.equal(await settled(await gatewayBefore(t, login)), false, location);
    }
  });

  t.test('a failing login host is not framed', async (t) => {
    const login = await startStub(t);
    const asked = async (): Promise<unknown> => settled(await gatewayBefore(t, login));
    for (const answer of [
      stubAnswer(503, '<p>', HTML),
      stubAnswer(404, '<p>', HTML),
      stubAnswer(200, '{}'),
      stubAnswer(304, ''),
      stubAnswer(302, ''),
      stubAnswer(200, '<p>', { ...HTML, 'x-junk': 'x'.repeat(32_000) }),
    ]) {
      login.on('GET /login', () => answer);
      t.equal(await asked(), false);
    }
    login.on('GET /login', (_seen, response) => {
      response.socket?.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nBad Header\u0001: x\r\n\r\n');
    });
    t.equal(await asked(), false, 'unreadable headers');
    login.on('GET /login', (_seen, response) => {
      response.writeHead(200, HTML);
      const drip = setInterval(() => response.write('x'.repeat(1024)), 1);
      response.on('close', () => clearInterval(drip));
    });
    t.equal(await asked(), true, 'an endless body is not read');
  });

  t.test('an unreachable or hanging login host does not delay pages', async (t) => {
    const gone = await startStub(t);
    await gone.stop();
    const gateway = await gatewayBefore(t, gone);
    t.equal(await settled(gateway), false);
    const warned = () =>
      gateway.lines().filter(({ msg }) => String(msg).startsWith('login page frame check failed'));
    t.equal(warned().length, 1);

    const silent = await startStub(t);
    silent.on('GET /login', () => undefined);
    const waiting = await gatewayBefore(t, silent);
    t.equal(await toldBy(waiting), false);
    t.equal(await toldBy(waiting), false);
    t.equal(silent.requests.length <= 1, true);
  });

  t.test('no frame if it could not send cookies back', async (t) => {
    const login = await startStub(t);
    login.on('GET /login', () => stubAnswer(200, '<p>', HTML));
    const gateway = await gatewayBefore(t, login, { settings: { PUBLIC_URL: 'http://localhost:8080' } });
    t.equal(await toldBy(gateway), false);
    t.equal(await toldBy(gateway), false);
    const secure = await gatewayBefore(t, login, { settings: { PUBLIC_URL: SITE } });
    t.equal(await toldBy(secure), false, 'nor does an https page frame an http one');
    t.strictSame(login.requests, []);
  });

  t.test('for an OpenID provider its authorization endpoint is checked', async (t) => {
    const issuer = await startStub(t);
    issuer.on('GET /.well-known/openid-configuration', () =>
      stubAnswer(200, {
        issuer: issuer.url,
        authorization_endpoint: `${issuer.url}/authorize`,
        token_endpoint: `${issuer.url}/token`,
        jwks_uri: `${issuer.url}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
    );
    issuer.on('GET /authorize', () => stubAnswer(200, '<form>', HTML));
    const gateway = await gatewayBefore(t, issuer, {
      settings: {
        AUTH_PROVIDER: 'oidc',
        COMMUNITY_URL: 'http://community.example',
        OIDC_ISSUER: issuer.url,
        OIDC_CLIENT_ID: 'square',
        OIDC_CLIENT_SECRET: 'a secret of the tests',
      },
    });
    t.equal(await settled(gateway), true);
    const [asked] = issuer.seen('GET /authorize');
    t.equal(asked?.query.get('response_type'), 'code');
  });
});

t.test('forced sign-in', async (t) => {
  /** The URL that starts a sign-in with this page as its target. */
  const begins = (page: string) =>
    `/api/auth/login?${new URLSearchParams({ return_to: page, ux_mode: 'redirect', force: '1' })}`;

  const isSignedIn = async (browser: Browser): Promise<boolean> =>
    (await browser.call('/api/auth/session')).json().data.signed_in === true;

  t.test('force=1 ignores the session and a code, and starts a sign-in', async (t) => {
    const gateway = await startGateway(t, { settings: { ALLOW_UNSOLICITED_CODE: 'true' } });
    const browser = gateway.browser();
    await browser.signIn();
    const former = browser.cookies.get('session');
    const exchanged = gateway.identity.seen('GET /user/login/code/user').length;
    for (const [address, page] of [
      ['/plugins/?force=1', '/plugins/'],
      ['/plugins/?a=1&force=1&code=good&b=%20x', '/plugins/?a=1&b=%20x'],
      ['/plugins/plugin/abcdefgh?%66orce=1&code=good', '/plugins/plugin/abcdefgh'],
      ['/plugins/?force=1&oauth2=1&code=x', '/plugins/?oauth2=1&code=x'],
      ["/plugins/?q='&force=1", "/plugins/?q='"],
    ] as const) {
      const answer = await browser.visit(address, { site: 'cross-site' });
      t.match([answer.status, answer.headers.location], [303, begins(page)], address);
      t.equal(answer.headers['cache-control'], 'no-store');
      t.equal(answer.headers['referrer-policy'], 'no-referrer');
      t.strictSame(answer.setCookies, [], address);
    }
    t.equal(gateway.identity.seen('GET /user/login/code/user').length, exchanged, 'no code was exchanged');
    t.equal(browser.cookies.get('session'), former);

    const started = await browser.visit(begins('/plugins/?a=1'));
    t.equal(started.status, 302);
    const asked = new URL(started.headers.location ?? '').searchParams;
    t.notOk(asked.has('force'), 'the parameter is not sent to the login page');
    t.equal(asked.get('ux_mode'), 'redirect');
    t.strictSame(gateway.identity.seen('POST /user/logout'), [], 'the session stays valid');
    t.equal(await isSignedIn(browser), true);
    const back = new URL(asked.get('redirect_uri') ?? '');
    const finished = await browser.visit(`${back.pathname}${back.search}&code=good`, { site: 'same-origin' });
    t.hasStrict([finished.status, finished.headers.location], [303, '/plugins/?a=1']);
    t.not(browser.cookies.get('session'), former, 'the new session replaces it');
  });

  t.test('other values are not the force flag', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    for (const address of [
      '/plugins/?force=0',
      '/plugins/?force=',
      '/plugins/?forced=1',
      '/plugins/?x=force',
    ])
      t.equal((await browser.visit(address)).status, 200, address);
    t.equal((await browser.visit('/api/auth/login?force=yes')).status, 400);
  });

  t.test('embedded content cannot start a sign-in with it', async (t) => {
    const gateway = await startGateway(t, { settings: { ALLOW_UNSOLICITED_CODE: 'true' } });
    const browser = gateway.browser();
    await browser.signIn();
    for (const [dest, mode, site] of [
      ['image', 'no-cors', 'same-site'],
      ['iframe', 'navigate', 'cross-site'],
      ['iframe', 'navigate', 'same-site'],
      ['object', 'navigate', 'same-origin'],
      ['empty', 'cors', 'same-origin'],
    ] as const) {
      const headers = { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode };
      const page = await browser.visit('/plugins/?force=1&code=good', { site, headers });
      t.hasStrict([page.status, page.headers.location], [303, '/plugins/'], `${dest} of ${site}`);
      t.strictSame(page.setCookies, []);
      const start = await browser.visit(begins('/plugins/'), { site, headers });
      t.equal(start.status, 403, `${dest} of ${site}`);
      t.strictSame(start.setCookies, []);
    }
    t.equal(await isSignedIn(browser), true);
    t.equal(gateway.identity.seen('GET /user/login/code/user').length, 1);
  });

  t.test('no redirect loop on the login page', async (t) => {
    const gateway = await startGateway(t);
    const page = await gateway.browser().visit('/user/login?force=1&redirect_uri=x');
    t.hasStrict([page.status, page.headers.location], [303, '/user/login?redirect_uri=x']);
  });

  t.test('at the callback the code is ignored and the same sign-in starts again', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F%3Fa%3D1&ux_mode=popup');
    const back = new URL(new URL(started.headers.location ?? '').searchParams.get('redirect_uri') ?? '');
    const forced = `${back.pathname}${back.search}&code=good&force=1`;
    const again = await browser.visit(forced, { site: 'same-origin' });
    t.equal(again.status, 303);
    const { searchParams } = new URL(again.headers.location ?? '', gateway.publicUrl);
    t.strictSame(Object.fromEntries(searchParams), {
      return_to: '/plugins/?a=1',
      ux_mode: 'popup',
      force: '1',
    });
    t.equal((await browser.visit(forced, { site: 'same-origin' })).status, 400, 'once');
    const stranger = await gateway.browser().visit('/api/auth/callback?nonce=x&code=good&force=1');
    t.equal(stranger.status, 400, 'embedded content cannot start a sign-in there');
    t.strictSame(gateway.identity.requests, []);
  });
});
