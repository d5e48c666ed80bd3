import t from 'tap';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';
import { USER } from '../../support/user-service.ts';

/** Later than an access token expires (15 min), earlier than the session. */
const EXPIRED = 16 * 60_000;
/** Later than a session is validated again (5 min), earlier than its access token expires. */
const VALIDATED = 6 * 60_000;
const INSTALL = '/api/cmt/plugin/user';

async function signedIn(t: Parameters<typeof startGateway>[0]) {
  const gateway = await startGateway(t);
  gateway.community.on(`POST ${INSTALL}`, ({ headers }) => ({ bearer: headers.authorization?.length }));
  const browser = gateway.browser();
  await browser.signIn();
  const install = (body = '{}') => browser.call(INSTALL, { method: 'POST', body });
  return { gateway, browser, install };
}

t.test('a browser with the older cookie gets the refreshed session', async (t) => {
  const { gateway, browser, install } = await signedIn(t);
  const old = browser.cookies.get('session') ?? '';
  gateway.clock.ahead = EXPIRED;
  await install();
  browser.cookies.set('session', old);
  const again = await install();
  t.equal(again.status, 200);
  t.equal(gateway.issued.refreshes, 1);
  t.equal(again.setCookies.length, 1);
});

t.test('a network error is retried once, then 502; the session is kept', async (t) => {
  const { gateway, browser, install } = await signedIn(t);
  gateway.clock.ahead = EXPIRED;
  let tries = 0;
  gateway.identity.on('POST /user/refresh_token', (_seen, response) => {
    tries += 1;
    if (tries === 1) return void response.destroy();
    return { access_token: gateway.issued.accessToken() };
  });
  t.equal((await install()).status, 200);
  t.equal(tries, 2);
  t.equal(browser.cookies.has('session'), true, 'a refresh token that was not replaced is kept');

  gateway.clock.ahead = 2 * EXPIRED;
  await gateway.identity.stop();
  const down = await install();
  t.equal(down.status, 502);
  t.equal(down.json().code, 'UPSTREAM_UNAVAILABLE');
  t.equal(browser.cookies.has('session'), true);
});

t.test('R 9.33: while tokens cannot be refreshed, public reads have the answer for visitors', async (t) => {
  const { gateway, browser, install } = await signedIn(t);
  const LIST = '/api/cmt/plugin/list';
  const ARTICLE = '/api/helpcenter/article';
  const bearers = (upstream: typeof gateway.community, path: string) =>
    upstream.seen(`GET ${path}`).map(({ headers }) => headers.authorization !== undefined);
  gateway.community.on(`GET ${LIST}`, () => ({ total: 7 }));
  gateway.helpcenter.on(`GET ${ARTICLE}`, () => ({ title: 'x' }));
  gateway.clock.ahead = EXPIRED;
  let tries = 0;
  gateway.identity.on('POST /user/refresh_token', () => {
    tries += 1;
    return stubAnswer(500, {});
  });
  for (const [path, upstream] of [
    [LIST, gateway.community],
    [ARTICLE, gateway.helpcenter],
  ] as const) {
    const list = await browser.call(path);
    t.equal(list.status, 200, path);
    t.equal(list.headers['cache-control'], 'no-store', 'a cache must not keep it for the user');
    t.strictSame(bearers(upstream, path), [false]);
  }
  t.equal(tries, 1, 'not tried for every read');
  t.equal((await browser.call('/api/cmt/plugin/user/list')).status, 502, 'what only users get');
  t.equal((await install()).status, 502, 'a write');
  gateway.community.on(`GET ${LIST}`, () => stubAnswer(401, {}));
  t.equal((await browser.call(LIST)).status, 502, 'a service that wants a user');
  t.equal(browser.cookies.has('session'), true);

  gateway.identity.on('POST /user/refresh_token', () => ({ access_token: gateway.issued.accessToken() }));
  gateway.community.on(`GET ${LIST}`, () => ({ total: 7 }));
  gateway.clock.ahead += 11_000;
  t.equal((await browser.call(LIST)).status, 200);
  t.equal(bearers(gateway.community, LIST).at(-1), true, 'then the user’s own again');
});

t.test('R 9.33: a token that is rejected and cannot be refreshed', async (t) => {
  const { gateway, browser } = await signedIn(t);
  const LIST = '/api/cmt/plugin/list';
  gateway.community.on(`GET ${LIST}`, ({ headers }) =>
    headers.authorization === undefined ? { total: 7 } : stubAnswer(401, {}),
  );
  gateway.identity.on('POST /user/refresh_token', () => stubAnswer(503, {}));
  const list = await browser.call(LIST);
  t.equal(list.status, 200);
  t.equal(list.json().data.total, 7);
  t.equal(browser.cookies.has('session'), true);
  gateway.identity.on('POST /user/refresh_token', () => stubAnswer(401, {}));
  gateway.clock.ahead = 11_000;
  t.equal((await browser.call(LIST)).status, 401, 'a refused refresh ends the session');
});

t.test('a rejected token is replaced although another change of the session is in progress', async (t) => {
  const { gateway, browser, install } = await signedIn(t);
  const { community, identity } = gateway;
  const rejected = Promise.withResolvers<void>();
  const validated = Promise.withResolvers<void>();
  const bearers: (string | undefined)[] = [];
  community.on(`POST ${INSTALL}`, async ({ headers: { authorization } }) => {
    bearers.push(authorization);
    if (authorization !== bearers[0]) return {};
    await rejected.promise;
    return stubAnswer(401, { code: 'TOKEN_INVALID' });
  });
  identity.on('GET /user/valid', async () => {
    await validated.promise;
    return { info: USER };
  });
  const installing = install();
  await until(() => bearers.length === 1);
  gateway.clock.ahead = VALIDATED;
  const other = browser.call('/api/auth/userinfo');
  await until(() => identity.seen('GET /user/valid').length === 1);
  rejected.resolve();
  validated.resolve();
  t.equal((await installing).status, 200);
  t.equal((await other).status, 200);
  t.equal(bearers.length, 2);
  t.equal(gateway.issued.refreshes, 1);
});

t.test('a sign-out during a refresh waits for the new tokens and revokes them', async (t) => {
  const { gateway, browser, install } = await signedIn(t);
  const { identity } = gateway;
  const refreshed = Promise.withResolvers<void>();
  identity.on('POST /user/refresh_token', async () => {
    await refreshed.promise;
    return { access_token: gateway.issued.accessToken(), refresh_token: 'CANARY-refresh-next' };
  });
  gateway.clock.ahead = EXPIRED;
  const installing = install();
  await until(() => identity.seen('POST /user/refresh_token').length === 1);
  const before = gateway.received();
  const leaving = browser.call('/api/auth/logout', { method: 'POST' });
  await until(() => gateway.received() === before + 1);
  refreshed.resolve();
  t.equal((await leaving).status, 200);
  await installing;
  const bearers = identity.seen('POST /user/logout').map(({ headers }) => headers.authorization);
  t.strictSame(bearers, ['Bearer CANARY-refresh-next']);
  t.equal((await browser.call('/api/auth/userinfo')).status, 401);
});

t.test('two users whose tokens are rejected on one kept connection get their own answers', async (t) => {
  const gateway = await startGateway(t);
  const { community, identity, issued } = gateway;
  const owners = new Map<string | undefined, string>();
  const ownerOf = (authorization: string | undefined) => owners.get(authorization?.slice('Bearer '.length));
  /** Signs somebody in, or gives them new tokens. */
  async function own<T>(name: string, work: () => Promise<T>): Promise<T> {
    const known = issued.secrets.length;
    const result = await work();
    for (const secret of issued.secrets.slice(known)) owners.set(secret, name);
    return result;
  }
  const [ann, ben] = [gateway.browser(), gateway.browser()];
  await own('Ann', () => ann.signIn());
  await own('Ben', () => ben.signIn());
  identity.on('POST /user/refresh_token', ({ headers }) =>
    own(ownerOf(headers.authorization) ?? 'nobody', async () => ({
      access_token: issued.accessToken(),
      refresh_token: 'CANARY-next',
      refresh_expires_in: 86_400,
    })),
  );
  const calls: { name: string | undefined; port: number | undefined }[] = [];
  const isFirst = new Set(['Ann', 'Ben']);
  community.on('GET /api/cmt/plugin/user/list', ({ headers }, response) => {
    const name = ownerOf(headers.authorization);
    calls.push({ name, port: response.socket?.remotePort });
    return isFirst.delete(name ?? '') ? stubAnswer(401, { code: 'TOKEN_INVALID' }) : { name };
  });
  for (const [name, browser] of [
    ['Ann', ann],
    ['Ben', ben],
  ] as const) {
    const answer = await browser.call('/api/cmt/plugin/user/list');
    t.hasStrict([answer.status, answer.json().data], [200, { name }]);
  }
  t.strictSame(
    calls.map(({ name }) => name),
    ['Ann', 'Ann', 'Ben', 'Ben'],
  );
  t.equal(calls[1]?.port, calls[2]?.port, 'the connection was kept');
});

t.test('a call is retried once and replayed once, in either order', async (t) => {
  const { gateway, browser } = await signedIn(t);
  const OWN_LIST = 'GET /api/cmt/plugin/user/list';
  for (const [steps, status, attempts] of [
    [['broken', 'rejected', 'answered'], 200, 3],
    [['rejected', 'broken', 'answered'], 200, 3],
    [['broken', 'rejected', 'broken', 'answered'], 502, 3],
    [['rejected', 'broken', 'rejected', 'answered'], 401, 3],
  ] as const) {
    gateway.community.requests.length = 0;
    const remaining = steps.values();
    gateway.community.on(OWN_LIST, (_seen, response) => {
      const { value: step } = remaining.next();
      if (step === 'broken') return void response.destroy();
      return step === 'rejected' ? stubAnswer(401, { code: 'TOKEN_INVALID' }) : {};
    });
    const answer = await browser.call('/api/cmt/plugin/user/list');
    t.equal(answer.status, status, steps.join());
    t.equal(gateway.community.seen(OWN_LIST).length, attempts, steps.join());
  }
});
