import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import t from 'tap';
import { type Browser, send } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { sendRaw, statusOf } from '../../support/raw-request.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { USER } from '../../support/user-service.ts';

t.test('sign out', async (t) => {
  const CONFIG = 'GET /config/private/standard/1';
  const LOGOUT = 'POST /user/logout';
  const GOOD = 'https://sso.example/logout?app=square';

  async function signedIn(
    t: Parameters<typeof startGateway>[0],
    { deployType = 'pri', method = 'saml' }: { deployType?: string; method?: string | null } = {},
  ) {
    const gateway = await startGateway(t, { settings: { DEPLOY_TYPE: deployType } });
    gateway.identity.on('GET /user/login/code/user', () => ({
      ...USER,
      access_token: gateway.issued.accessToken(),
      refresh_token: 'CANARY-refresh-0',
      login_method: method,
    }));
    const browser = gateway.browser();
    await browser.signIn();
    const entry = (logout: unknown, name = 'saml-private') =>
      gateway.identity.on(CONFIG, () => ({ [name]: logout }));
    const leave = () => browser.call('/api/auth/logout', { method: 'POST' });
    return { gateway, browser, entry, leave };
  }

  t.test('redirect mode: a private deployment sends the person to its own sign-out', async (t) => {
    for (const deployType of ['pri', 'hwdc', 'hk', 'nh', 'gfkd', 'kdxf', 'cluster']) {
      const { gateway, browser, entry, leave } = await signedIn(t, { deployType });
      entry({ logout_mode: 1, logout_url: GOOD });
      const left = await leave();
      t.equal(left.status, 200);
      t.strictSame(left.json().data, { redirect_url: GOOD }, deployType);
      t.equal(browser.cookies.size, 0);
      t.match(gateway.identity.seen(CONFIG)[0]?.headers.authorization, /^Bearer e30\./, 'the access token');
      t.equal(gateway.identity.seen(LOGOUT)[0]?.headers.authorization, 'Bearer CANARY-refresh-0');
    }
  });

  t.test('for each method its own entry', async (t) => {
    for (const method of ['ldap', 'oauth2', 'oidc', 'saml', 'custom_sso', 'local']) {
      const { entry, leave } = await signedIn(t, { method });
      entry({ logout_mode: 1, logout_url: GOOD }, `${method}-private`);
      t.equal((await leave()).json().data.redirect_url, GOOD, method);
    }
    const { entry, leave } = await signedIn(t, { method: 'ldap' });
    entry({ logout_mode: 1, logout_url: GOOD });
    t.equal((await leave()).json().data.redirect_url, null, 'not that of another');
  });

  t.test('an entry is found however often the answer is wrapped', async (t) => {
    const entries = { 'saml-private': { logout_mode: 1, logout_url: GOOD } };
    for (const answer of [
      entries,
      { code: 0, data: entries },
      { code: 200, message: 'ok', data: { data: entries } },
      { code: 0, data: { code: 0, message: 'ok', data: entries } },
      { code: 0, data: { 'ldap-private': { logout_mode: 0 }, data: entries } },
    ]) {
      const { gateway, leave } = await signedIn(t);
      gateway.identity.on(CONFIG, () => stubAnswer(200, answer));
      t.equal((await leave()).json().data.redirect_url, GOOD, JSON.stringify(answer));
    }
  });

  t.test('normal mode, or no private deployment: nowhere to go', async (t) => {
    for (const deployType of ['domestic', 'overseas', 'dev']) {
      const { gateway, entry, leave } = await signedIn(t, { deployType });
      entry({ logout_mode: 1, logout_url: GOOD });
      t.equal((await leave()).json().data.redirect_url, null, deployType);
      t.strictSame(gateway.identity.seen(CONFIG), []);
    }
    const unknown = await signedIn(t, { method: null });
    t.equal((await unknown.leave()).json().data.redirect_url, null, 'no login method');
    t.strictSame(unknown.gateway.identity.seen(CONFIG), []);
    for (const entry of [
      { logout_mode: 0, logout_url: GOOD },
      { logout_url: GOOD },
      'text',
      null,
      [],
      undefined,
    ]) {
      const session = await signedIn(t);
      session.entry(entry);
      t.equal((await session.leave()).json().data.redirect_url, null, JSON.stringify(entry));
    }
  });

  t.test('R 9.10: only a plain web address is passed on', async (t) => {
    for (const logout_url of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\tscript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      '/logout',
      'https:evil.example',
      'https://user:secret@sso.example/',
      'https://user@sso.example/',
      'https:\\\\evil.example',
      'https://sso.example\\@evil.example',
      ' https://sso.example/',
      'https://sso.example/\r\nset-cookie: a=b',
      'https://sso.exa\u202Emple/',
      'ftp://sso.example/',
      'https://',
      '',
      7,
      { href: GOOD },
      null,
      `https://sso.example/${'x'.repeat(3000)}`,
    ]) {
      const { gateway, entry, leave } = await signedIn(t);
      entry({ logout_mode: 1, logout_url });
      const left = await leave();
      t.equal(left.status, 200);
      t.strictSame(left.json().data, { redirect_url: null }, String(logout_url));
      t.equal(gateway.identity.seen(LOGOUT).length, 1);
    }
  });

  t.test('a config that cannot be read is logged and keeps nobody signed in', async (t) => {
    for (const failure of [stubAnswer(500, 'oops'), stubAnswer(401, {}), stubAnswer(200, '<html>')]) {
      const { gateway, browser, leave } = await signedIn(t);
      gateway.identity.on(CONFIG, () => failure);
      const left = await leave();
      t.equal(left.status, 200);
      t.strictSame(left.json().data, { redirect_url: null });
      t.equal(browser.cookies.size, 0);
      t.equal(gateway.identity.seen(LOGOUT).length, 1);
    }
    const { gateway, leave } = await signedIn(t);
    gateway.identity.on(CONFIG, (_seen, response) => void response.destroy());
    t.equal((await leave()).status, 200);
    t.ok(gateway.lines().some(({ msg }) => msg === 'private config request failed'));
  });

  t.test('an expired access token is renewed first, and the newest refresh token signed out', async (t) => {
    const { gateway, entry, leave } = await signedIn(t);
    entry({ logout_mode: 1, logout_url: GOOD });
    gateway.clock.ahead = 16 * 60_000;
    t.equal((await leave()).json().data.redirect_url, GOOD);
    t.equal(gateway.issued.refreshes, 1);
    const newest = gateway.issued.secrets.at(-1);
    t.match(newest, /^CANARY-refresh-/);
    t.equal(gateway.identity.seen(LOGOUT)[0]?.headers.authorization, `Bearer ${newest}`);
  });

  t.test('a failed logout rejects, and the session is over here all the same', async (t) => {
    const { gateway, browser, entry, leave } = await signedIn(t);
    entry({ logout_mode: 1, logout_url: GOOD });
    const old = browser.cookies.get('session') ?? '';
    gateway.identity.on(LOGOUT, () => stubAnswer(500, {}));
    const left = await leave();
    t.equal(left.status, 502);
    t.equal(left.json().code, 'UPSTREAM_INVALID');
    t.equal(browser.cookies.size, 0);
    browser.cookies.set('session', old);
    t.equal((await browser.call('/api/auth/userinfo')).status, 401);

    const gone = await signedIn(t);
    gone.gateway.identity.on(LOGOUT, () => stubAnswer(401, {}));
    t.equal((await gone.leave()).status, 200, 'a refresh token nobody knows any more is as good');
  });
});

t.test('backchannel logout', async (t) => {
  const PATH = '/api/auth/backchannel-logout';
  const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const stranger = await generateKeyPair('EdDSA');
  const publicJwk = await exportJWK(publicKey);

  let tokens = 0;

  /** Claims of a valid logout token for one session of user 7. */
  function claims(changed: Record<string, unknown> = {}): JWTPayload {
    tokens += 1;
    const iat = Math.floor(Date.now() / 1000);
    return {
      iss: 'plugin-square-identity',
      aud: 'plugin-square',
      iat,
      jti: `token-${tokens}`,
      sub: '7',
      sid: 'one',
      events: { [EVENT]: {} },
      ...changed,
    };
  }

  type Header = { typ?: string | null; key?: CryptoKey };
  const sign = (
    payload: JWTPayload,
    { typ = 'logout+jwt', key = privateKey }: Header = {},
  ): Promise<string> =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: 'EdDSA', kid: 'k', ...(typ !== null && { typ }) })
      .sign(key);

  const post = (gateway: TestGateway, token: string) =>
    send(gateway.url, PATH, {
      method: 'POST',
      headers: FORM,
      body: `logout_token=${encodeURIComponent(token)}`,
    });

  /** Sessions of user 7 whose access tokens have these session ids. */
  async function signedIn(t: Parameters<typeof startGateway>[0], ...sids: (string | undefined)[]) {
    const gateway = await startGateway(t);
    gateway.identity.on('GET /.well-known/jwks.json', (_seen, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ keys: [{ ...publicJwk, alg: 'EdDSA', use: 'sig', kid: 'k' }] }));
    });
    const browsers: Browser[] = [];
    for (const sid of sids) {
      const payload = Buffer.from(JSON.stringify({ sub: '7', sid })).toString('base64url');
      gateway.identity.on('GET /user/login/code/user', () => ({
        ...USER,
        access_token: `e30.${payload}.x`,
        refresh_token: 'refresh',
      }));
      const browser = gateway.browser();
      await browser.signIn();
      browsers.push(browser);
    }
    const states = () =>
      Promise.all(browsers.map(async (browser) => (await browser.call('/api/auth/userinfo')).status));
    return { gateway, browsers, states };
  }

  t.test('sid ends one session, sub without sid all sessions of a user', async (t) => {
    const { gateway, browsers, states } = await signedIn(t, 'one', 'two', undefined);
    t.strictSame(await states(), [200, 200, 200]);
    const ended = await post(gateway, await sign(claims()));
    t.equal(ended.status, 200);
    t.equal(ended.headers['cache-control'], 'no-store');
    t.equal(ended.text, '');
    t.strictSame(await states(), [401, 200, 200]);

    t.equal((await post(gateway, await sign(claims({ sid: undefined })))).status, 200);
    t.strictSame(await states(), [401, 401, 401]);
    gateway.clock.ahead += 1000;
    await browsers[0]?.signIn();
    t.strictSame(await states(), [200, 401, 401], 'a session that begins later stays');
    t.ok(gateway.lines().some(({ event, by }) => event === 'backchannel_logout' && by === 'sid'));
  });

  t.test('a session that began in the same millisecond ends too', async (t) => {
    const at = Date.now();
    t.intercept(Date, 'now', { value: () => at });
    const { gateway, states } = await signedIn(t, 'one');
    t.equal((await post(gateway, await sign(claims()))).status, 200);
    t.strictSame(await states(), [401]);
  });

  t.test('sid without sub is enough; other users are not affected', async (t) => {
    const { gateway, states } = await signedIn(t, 'one', 'two');
    t.equal((await post(gateway, await sign(claims({ sub: undefined })))).status, 200);
    t.equal((await post(gateway, await sign(claims({ sid: undefined, sub: '8' })))).status, 200);
    t.strictSame(await states(), [401, 200]);
  });

  t.test('every type that providers send', async (t) => {
    const { gateway } = await signedIn(t);
    for (const typ of ['JWT', 'jwt', 'application/logout+jwt', null])
      t.equal((await post(gateway, await sign(claims(), { typ }))).status, 200, `${typ}`);
  });

  t.test('clocks may be two minutes apart', async (t) => {
    const { gateway } = await signedIn(t);
    const now = Math.floor(Date.now() / 1000);
    for (const iat of [now - 110, now + 110]) {
      t.equal((await post(gateway, await sign(claims({ iat })))).status, 200);
    }
  });

  const now = Math.floor(Date.now() / 1000);
  const BAD: [string, () => Promise<string>][] = [
    ['no token', async () => ''],
    ['no JWT', async () => 'a.b.c'],
    ['an ID token', () => sign(claims({ events: undefined, nonce: 'n' }), { typ: 'JWT' })],
    ['an access token', () => sign(claims(), { typ: 'at+jwt' })],
    ['a key of somebody else', () => sign(claims(), { key: stranger.privateKey })],
    ['another issuer', () => sign(claims({ iss: 'https://evil.example' }))],
    ['another audience', () => sign(claims({ aud: 'another' }))],
    ['no audience', () => sign(claims({ aud: undefined }))],
    ['no time', () => sign(claims({ iat: undefined }))],
    ['a time three minutes ago', () => sign(claims({ iat: now - 180 }))],
    ['a time in three minutes', () => sign(claims({ iat: now + 180 }))],
    ['an end three minutes ago', () => sign(claims({ exp: now - 180 }))],
    ['no id', () => sign(claims({ jti: undefined }))],
    ['no events', () => sign(claims({ events: undefined }))],
    ['another event', () => sign(claims({ events: { 'https://other.example': {} } }))],
    ['an event that is no object', () => sign(claims({ events: { [EVENT]: true } }))],
    ['a nonce', () => sign(claims({ nonce: 'n' }))],
    ['neither person nor session', () => sign(claims({ sub: undefined, sid: undefined }))],
    ['a person that is no text', () => sign(claims({ sub: Object(7), sid: undefined }))],
    [
      'no signature',
      async () => {
        const [, payload] = (await sign(claims())).split('.');
        return `${Buffer.from('{"alg":"none","typ":"logout+jwt"}').toString('base64url')}.${payload}.`;
      },
    ],
    [
      'a signature with the public key as a secret',
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256', typ: 'logout+jwt', kid: 'k' })
          .sign(Buffer.from(String(publicJwk.x), 'base64url')),
    ],
  ];

  t.test('R 9.21: an invalid logout token is 400 and ends no session', async (t) => {
    const { gateway, states } = await signedIn(t, 'one');
    for (const [what, token] of BAD) {
      const refused = await post(gateway, await token());
      t.equal(refused.status, 400, what);
      t.equal(refused.json().code, 'LOGOUT_TOKEN_INVALID', what);
      t.equal(refused.headers['cache-control'], 'no-store');
    }
    t.strictSame(await states(), [200]);
  });

  t.test('a logout token is accepted once', async (t) => {
    const { gateway, browsers, states } = await signedIn(t, 'one');
    const token = await sign(claims());
    t.equal((await post(gateway, token)).status, 200);
    gateway.clock.ahead += 1000;
    await browsers[0]?.signIn();
    t.equal((await post(gateway, token)).status, 400);
    t.strictSame(await states(), [200]);
  });

  t.test('the form of the request', async (t) => {
    const { gateway, states } = await signedIn(t, 'one');
    const token = await sign(claims());
    const bodies: [string, Record<string, string>, string, number][] = [
      ['JSON', { 'content-type': 'application/json' }, JSON.stringify({ logout_token: token }), 400],
      ['plain text', { 'content-type': 'text/plain' }, `logout_token=${token}`, 400],
      ['two tokens', FORM, `logout_token=${token}&logout_token=${token}`, 400],
      ['an empty form', FORM, '', 400],
      ['a form without it', FORM, 'token=x', 400],
      ['a large form', FORM, `logout_token=${'x'.repeat(20_000)}`, 413],
    ];
    for (const [what, headers, body, status] of bodies) {
      t.equal((await send(gateway.url, PATH, { method: 'POST', headers, body })).status, status, what);
    }
    t.equal(
      (await send(gateway.url, PATH, { method: 'GET', headers: FORM })).status,
      403,
      'a GET is no such call',
    );
    const form = `logout_token=${token}`;
    const twoHosts = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Type: ${FORM['content-type']}\r\nContent-Length: ${form.length}\r\n\r\n${form}`;
    t.equal(statusOf(await sendRaw(gateway.url, twoHosts)), 400, 'other rules hold');
    t.strictSame(await states(), [200]);
  });

  t.test('no session ends if the keys cannot be loaded', async (t) => {
    const { gateway } = await signedIn(t, 'one');
    await gateway.identity.stop();
    const refused = await post(gateway, await sign(claims()));
    t.equal(refused.status, 400);
    t.notMatch(refused.text, '127.0.0.1');
  });
});
