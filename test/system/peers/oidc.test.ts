import t from 'tap';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { openIdBrowser } from '../../support/openid-browser.ts';
import { CLIENT, type OpenIdProvider, openIdProvider } from '../../support/openid-provider.ts';

const PUBLIC_URL = 'http://localhost:8080';
const INSTALL = '/api/cmt/plugin/user';
/** Longer than the lifetime of the provider's access tokens. */
const EXPIRED = 61 * 60_000;

type Test = Parameters<typeof startGateway>[0];

/** A gateway and the real provider, which is configured with the gateway's address. */
async function setUp(t: Test, { started = true, secret = CLIENT.secret } = {}) {
  const openid = await openIdProvider(t, PUBLIC_URL);
  const gateway = await startGateway(t, {
    now: Date.now,
    settings: {
      AUTH_PROVIDER: 'oidc',
      COMMUNITY_URL: 'http://community.example',
      OIDC_ISSUER: openid.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: secret,
    },
  });
  gateway.community.on(`POST ${INSTALL}`, () => ({}));
  if (started) await start(gateway, openid);
  return { openid, gateway, person: () => person(gateway, openid) };
}

const start = (gateway: TestGateway, openid: OpenIdProvider): Promise<void> =>
  openid.start({ backchannelLogoutUri: `${gateway.url}/api/auth/backchannel-logout` });

function person(gateway: TestGateway, openid: OpenIdProvider) {
  const browser = gateway.browser();
  const install = () => browser.call(INSTALL, { method: 'POST', body: '{}' });
  const logout = () => browser.call('/api/auth/logout', { method: 'POST' });
  return { browser, install, logout, ...openIdBrowser(browser, openid.issuer, PUBLIC_URL) };
}

const refreshes = ({ tokenRequests }: OpenIdProvider): URLSearchParams[] =>
  tokenRequests.filter((sent) => sent.get('grant_type') === 'refresh_token');

t.test('R 9.8: signs in through the provider, by code with PKCE and nonce', async (t) => {
  const { openid, gateway, person } = await setUp(t);
  const ada = person();
  const { address } = await ada.begin();
  t.equal(address.origin, openid.issuer);
  const { state, nonce, code_challenge, ...parameters } = Object.fromEntries(address.searchParams);
  t.strictSame(parameters, {
    client_id: CLIENT.id,
    response_type: 'code',
    redirect_uri: `${PUBLIC_URL}/api/auth/callback`,
    scope: 'openid profile email offline_access',
    code_challenge_method: 'S256',
  });
  for (const secret of [state, nonce, code_challenge]) t.match(secret, /^[\w-]{32,}$/);

  const finished = await ada.signIn({ returnTo: '/plugins/plugin/abcdefgh' });
  t.equal(finished.status, 303);
  t.equal(finished.headers.location, '/plugins/plugin/abcdefgh');
  const { data } = (await ada.browser.call('/api/auth/session')).json();
  t.hasStrict(data, {
    signed_in: true,
    login_method: 'oidc',
    user: {
      user_name: 'ada.l',
      nick_name: 'ada',
      email: 'ada@example.org',
      avatar_url: 'https://pictures.example/ada.png',
      sex: 2,
      birthday: '1815-12-10',
      identification: 'ada',
    },
  });
  const again = person();
  await again.signIn();
  const user = (await again.browser.call('/api/auth/session')).json().data.user;
  t.strictSame(user, data.user, 'the same user has the same id');

  t.equal((await ada.install()).status, 200);
  const bearer = gateway.community.seen(`POST ${INSTALL}`)[0]?.headers.authorization ?? '';
  t.ok(
    openid.secrets.includes(bearer.replace('Bearer ', '')),
    'community gets the access token of the provider',
  );
  t.strictSame(gateway.identity.requests, [], 'the user service is not asked');

  const out = [...ada.browser.received, gateway.logText()].join('\n');
  for (const secret of [...openid.secrets, CLIENT.secret]) t.notOk(out.includes(secret), 'stays inside');
});

t.test(
  'client credentials that the provider refuses are told to the operator, and not as an outage',
  async (t) => {
    const secret = 'CANARY-another-secret-of-32-characters';
    const { openid, gateway, person } = await setUp(t, { secret });
    const finished = await person().signIn();
    t.equal(finished.status, 502);
    t.match(finished.text, 'SIGN_IN_MISCONFIGURED');
    const [line] = gateway.lines().filter(({ code }) => code === 'SIGN_IN_MISCONFIGURED');
    t.match(line, {
      err: {
        message: new RegExp(
          `^wrong client credentials: ${openid.issuer}/token answered 401 invalid_client, challenge Basic realm=`,
        ),
      },
    });
    t.notOk(gateway.logText().includes(secret));
  },
);

t.test('userinfo comes from the provider; fields of a user service are absent', async (t) => {
  const { gateway, person } = await setUp(t);
  const ada = person();
  await ada.signIn();
  t.hasStrict((await ada.browser.call('/api/auth/userinfo')).json().data, { nick_name: 'ada' });
  for (const path of ['/api/auth/bind', '/api/auth/third-party/x', '/api/auth/enterprise']) {
    t.equal((await ada.browser.call(path, { method: 'POST', body: '{}' })).status, 404, path);
  }
  t.equal((await ada.browser.call('/api/auth/login-code')).status, 404);
  t.equal((await ada.browser.call('/user/page/sign_in', { method: 'POST', body: '{}' })).status, 404);
  t.strictSame(gateway.identity.requests, []);
});

t.test('refresh tokens rotate: each is used once, by any number of calls', async (t) => {
  const { openid, gateway, person } = await setUp(t);
  const ada = person();
  await ada.signIn();
  for (const round of [1, 2, 3]) {
    gateway.clock.ahead = round * EXPIRED;
    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.install()));
    t.ok(answers.every(({ status }) => status === 200));
    t.equal(refreshes(openid).length, round);
  }
  const used = refreshes(openid).map((sent) => sent.get('refresh_token'));
  t.equal(new Set(used).size, 3, 'three different ones');
});

t.test('a refresh token that was used before ends the session', async (t) => {
  const { openid, gateway, person } = await setUp(t);
  const ada = person();
  await ada.signIn();
  gateway.clock.ahead = EXPIRED;
  await ada.install();
  const stolen = refreshes(openid)[0]?.get('refresh_token') ?? '';
  const thief = await fetch(`${openid.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: stolen }),
  });
  t.equal(thief.status, 400, 'the provider notices and revokes the whole grant');
  gateway.clock.ahead = 2 * EXPIRED;
  const answer = await ada.install();
  t.equal(answer.status, 401);
  t.equal(answer.json().code, 'SESSION_ENDED');
  t.equal(ada.browser.cookies.size, 0);
});

t.test('an unavailable provider: no crash, no lost session, and a later sign-in works', async (t) => {
  const { openid, gateway, person } = await setUp(t, { started: false });
  const ada = person();
  const { started } = await ada.begin();
  t.equal(started.status, 502);
  t.match(started.text, 'login_error=UPSTREAM_UNAVAILABLE');
  t.notMatch(started.text, openid.issuer);
  t.equal(ada.browser.cookies.size, 0);

  await start(gateway, openid);
  t.equal((await ada.signIn()).status, 303, 'discovered at the next sign-in');

  openid.stop();
  gateway.clock.ahead = EXPIRED;
  const down = await ada.install();
  t.equal(down.status, 502);
  t.equal(down.json().code, 'UPSTREAM_UNAVAILABLE');
  t.equal(ada.browser.cookies.has('session'), true);
});

t.test('a provider with another issuer is rejected', async (t) => {
  const { openid, person } = await setUp(t, { started: false });
  openid.tamper = (path, body) =>
    path.startsWith('/.well-known/') ? body.replaceAll(openid.issuer, 'http://127.0.0.1:1') : body;
  await openid.start();
  const { started } = await person().begin();
  t.equal(started.status, 502);
  t.match(started.text, 'login_error=UPSTREAM_INVALID');
});

const FORGERIES: [string, (token: string) => string][] = [
  ['an altered claim', (token) => forged(token, { sub: 'grace' })],
  ['another nonce', (token) => forged(token, { nonce: 'another' })],
  ['another issuer', (token) => forged(token, { iss: 'https://evil.example' })],
  ['another audience', (token) => forged(token, { aud: 'another' })],
  ['no signature', (token) => `${btoa('{"alg":"none"}').replaceAll('=', '')}.${token.split('.')[1]}.`],
  ['a cut signature', (token) => token.slice(0, -20)],
];

function forged(token: string, changed: Record<string, unknown>): string {
  const [head, payload = '', signature] = token.split('.');
  const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...changed };
  return `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
}

for (const [what, forge] of FORGERIES) {
  t.test(`an ID token with ${what} is rejected`, async (t) => {
    const { openid, person } = await setUp(t);
    openid.tamper = (path, body) => {
      if (path !== '/token') return body;
      const answer = JSON.parse(body);
      return JSON.stringify({ ...answer, id_token: forge(answer.id_token) });
    };
    const ada = person();
    const finished = await ada.signIn();
    t.equal(finished.status, 502);
    t.match(finished.text, 'login_error=UPSTREAM_INVALID');
    t.equal(ada.browser.cookies.has('session'), false);
  });
}

t.test('a response to another request is rejected', async (t) => {
  const { openid, person } = await setUp(t);
  const ada = person();
  const none = (): void => undefined;
  const changes: [string, number, (address: URL) => void, (back: URL) => void][] = [
    [
      'asked with another nonce',
      502,
      (address) => address.searchParams.set('nonce', 'of-somebody-else'),
      none,
    ],
    ['another issuer', 400, none, (back) => back.searchParams.set('iss', 'https://evil.example')],
    ['no issuer', 400, none, (back) => back.searchParams.delete('iss')],
    ['another code', 400, none, (back) => back.searchParams.set('code', 'x'.repeat(43))],
    ['no code', 400, none, (back) => back.searchParams.delete('code')],
    ['an error beside the code', 400, none, (back) => back.searchParams.set('error', 'access_denied')],
    ['two issuers', 400, none, (back) => back.searchParams.append('iss', 'https://evil.example')],
    ['the issuer twice', 400, none, (back) => back.searchParams.append('iss', openid.issuer)],
  ];
  for (const [what, status, changeAddress, changeBack] of changes) {
    const { address } = await ada.begin();
    changeAddress(address);
    const back = await ada.follow(address.href);
    changeBack(back);
    const finished = await ada.browser.visit(back.pathname + back.search);
    t.equal(finished.status, status, what);
    t.match(finished.text, status === 400 ? 'login_error=CODE_INVALID' : 'login_error=UPSTREAM_INVALID');
    t.equal(ada.browser.cookies.has('session'), false, what);
  }
  const { address } = await ada.begin();
  address.searchParams.set('state', 'another');
  const callsBefore = openid.tokenRequests.length;
  const back = await ada.follow(address.href);
  const finished = await ada.browser.visit(back.pathname + back.search);
  t.equal(finished.status, 400);
  t.match(finished.text, 'login_error=LOGIN_TRANSACTION_INVALID');
  t.equal(openid.tokenRequests.length, callsBefore, 'no token call');
});

t.test('additional parameters of a response are ignored', async (t) => {
  const { person } = await setUp(t);
  const ada = person();
  const { address } = await ada.begin();
  const back = await ada.follow(address.href);
  for (const name of ['response', 'id_token', 'session_state']) back.searchParams.set(name, 'x');
  const finished = await ada.browser.visit(back.pathname + back.search);
  t.equal(finished.status, 303);
});

t.test('with the force flag the provider is asked to authenticate again', async (t) => {
  const { person } = await setUp(t);
  const ada = person();
  await ada.signIn();
  const { address } = await ada.begin();
  t.notOk(address.searchParams.has('prompt'));
  const started = await ada.browser.visit('/api/auth/login?return_to=%2Fplugins%2F%3Fa&force=1');
  const again = new URL(started.headers.location ?? '');
  t.equal(again.searchParams.get('prompt'), 'login');
  const back = await ada.follow(again.href);
  const finished = await ada.browser.visit(back.pathname + back.search);
  t.hasStrict([finished.status, finished.headers.location], [303, '/plugins/?a']);
});

t.test('a code challenge that is not ours gets no token', async (t) => {
  const { person } = await setUp(t);
  const ada = person();
  const { address } = await ada.begin();
  address.searchParams.set('code_challenge', 'x'.repeat(43));
  const back = await ada.follow(address.href);
  const finished = await ada.browser.visit(back.pathname + back.search);
  t.equal(finished.status, 400);
  t.match(finished.text, 'login_error=CODE_INVALID');
});

t.test('signing out continues at the provider and returns to the marketplace', async (t) => {
  const { openid, person } = await setUp(t);
  const ada = person();
  await ada.signIn();
  const cookie = ada.browser.cookies.get('session') ?? '';
  const left = await ada.logout();
  t.equal(left.status, 200);
  const address = new URL(String(left.json().data.redirect_url));
  t.equal(address.origin, openid.issuer);
  t.equal(address.searchParams.get('post_logout_redirect_uri'), `${PUBLIC_URL}/plugins/`);
  t.equal(address.searchParams.get('client_id'), CLIENT.id);
  t.notOk(address.searchParams.has('id_token_hint'), 'no token goes through the browser');
  t.equal(await ada.confirmSignOut(address.href), `${PUBLIC_URL}/plugins/`);
  ada.browser.cookies.set('session', cookie);
  t.equal((await ada.install()).status, 401, 'the old cookie is worth nothing');

  const { address: next } = await ada.begin();
  next.searchParams.set('prompt', 'none');
  const silent = await ada.follow(next.href);
  t.equal(silent.searchParams.get('error'), 'login_required', 'signed out at the provider as well');
});

t.test('signing out while the provider is unavailable ends the session here', async (t) => {
  const { openid, person } = await setUp(t);
  const ada = person();
  await ada.signIn();
  const cookie = ada.browser.cookies.get('session') ?? '';
  openid.stop();
  const left = await ada.logout();
  t.equal(left.status, 200, 'its sign-out page is known');
  t.equal(ada.browser.cookies.size, 0);
  ada.browser.cookies.set('session', cookie);
  t.equal((await ada.install()).status, 401);
});

t.test('R 9.21: a sign-out at the provider ends that session here, and no other', async (t) => {
  const { openid, gateway, person } = await setUp(t);
  const [ada, elsewhere, grace] = [person(), person(), person()];
  await ada.signIn();
  await elsewhere.signIn();
  await grace.signIn({ as: 'grace' });
  t.equal((await ada.install()).status, 200);

  await ada.confirmSignOut(`${openid.issuer}/session/end?client_id=${CLIENT.id}`);
  t.strictSame(openid.backchannel, ['success'], 'the provider has called and was content');
  const ended = await ada.install();
  t.equal(ended.status, 401);
  t.equal(ended.json().code, 'SESSION_ENDED');
  t.equal((await elsewhere.install()).status, 200, 'her session in another browser stays');
  t.equal((await grace.install()).status, 200);
  t.ok(gateway.lines().some(({ event }) => event === 'backchannel_logout'));
  t.equal((await ada.signIn()).status, 303);
  t.equal((await ada.install()).status, 200, 'what begins later stays');
});

t.test('a session is validated at the provider after five minutes', async (t) => {
  const { openid, gateway, person } = await setUp(t);
  const ada = person();
  await ada.signIn();
  let validations = 0;
  openid.tamper = (path, body) => {
    if (path !== '/me') return body;
    validations += 1;
    return JSON.stringify({ ...JSON.parse(body), nickname: 'Countess' });
  };
  gateway.clock.ahead = 6 * 60_000;
  await Promise.all([ada.install(), ada.install(), ada.install()]);
  t.equal(validations, 1);
  const { data } = (await ada.browser.call('/api/auth/session')).json();
  t.hasStrict(data, { user: { nick_name: 'Countess' } });
});
