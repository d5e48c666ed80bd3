import t from 'tap';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { USER } from '../../support/user-service.ts';

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

t.test('requirement 10: only a plain web address is passed on', async (t) => {
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
