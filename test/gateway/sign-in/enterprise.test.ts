import { sql } from 'kysely';
import t from 'tap';
import type { Browser } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startBoth } from '../../support/gateway-with-identity.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';
import { USER } from '../../support/user-service.ts';

t.test('enterprise', async (t) => {
  const UPSTREAM = 'POST /user/reset_token';
  const PATH = '/api/auth/enterprise';
  const INSTALL = '/api/cmt/plugin/user';
  const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });

  async function signedIn(t: Parameters<typeof startGateway>[0]) {
    const gateway = await startGateway(t);
    gateway.community.on(`POST ${INSTALL}`, () => ({}));
    gateway.identity.on(UPSTREAM, ({ body }) => ({
      access_token: 'access.of.enterprise',
      refresh_token: 'refresh-of-enterprise',
      user_info: { ...USER, e_id: JSON.parse(String(body)).e_id, access_token: 'CANARY-nested' },
    }));
    const browser = gateway.browser();
    await browser.signIn();
    return { gateway, browser, install: () => browser.call(INSTALL, post({})) };
  }

  const lastBearer = (gateway: TestGateway) =>
    gateway.community.seen(`POST ${INSTALL}`).at(-1)?.headers.authorization;

  t.test('new tokens and user info replace the old ones', async (t) => {
    const { gateway, browser, install } = await signedIn(t);
    const old = browser.cookies.get('session') ?? '';
    const answer = await browser.call(PATH, post({ e_id: 42 }));
    t.equal(answer.status, 200);
    t.hasStrict(answer.json().data, { signed_in: true, user: { user_id: 7, e_id: 42 } });
    t.notMatch(answer.text, /CANARY|enterprise/);
    const [sent] = gateway.identity.seen(UPSTREAM);
    t.match(sent?.headers.authorization, /^Bearer e30\./, 'the access token');
    t.strictSame(JSON.parse(String(sent?.body)), { e_id: 42 });

    await install();
    t.equal(lastBearer(gateway), 'Bearer access.of.enterprise');
    browser.cookies.set('session', old);
    await install();
    t.equal(lastBearer(gateway), 'Bearer access.of.enterprise', 'for another tab with the older cookie too');
    await browser.call('/api/auth/logout', { method: 'POST' });
    const [ended] = gateway.identity.seen('POST /user/logout');
    t.equal(ended?.headers.authorization, 'Bearer refresh-of-enterprise');
  });

  t.test('the role is read again', async (t) => {
    const { gateway, browser } = await signedIn(t);
    t.equal((await browser.call('/api/auth/session')).json().data.role, 0);
    gateway.community.on('GET /api/cmt/manager/verify', () => ({ role: 2 }));
    t.equal((await browser.call(PATH, post({ e_id: 42 }))).json().data.role, 2);
  });

  t.test('concurrent calls that need a refresh get one, whether the change succeeds or fails', async (t) => {
    const { gateway, browser, install } = await signedIn(t);
    let release = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      gateway.identity.on(UPSTREAM, () => {
        resolve();
        return new Promise((done) => {
          release = () => done(stubAnswer(403, { code: 'FORBIDDEN', message: 'no member' }));
        });
      });
    });
    const change = browser.call(PATH, post({ e_id: 42 }));
    await asked;
    gateway.clock.ahead = 16 * 60_000;
    const before = gateway.received();
    const calls = [install(), install()];
    await until(() => gateway.received() === before + 2);
    release();
    t.equal((await change).status, 403);
    t.strictSame(
      (await Promise.all(calls)).map(({ status }) => status),
      [200, 200],
    );
    t.equal(gateway.issued.refreshes, 1);
  });

  t.test('a refused access token is renewed once', async (t) => {
    const { gateway, browser } = await signedIn(t);
    let refusals = 1;
    gateway.identity.on(UPSTREAM, () => {
      refusals -= 1;
      return refusals >= 0
        ? stubAnswer(401, { code: 401 })
        : { access_token: 'a.b.c', refresh_token: 'd', user_info: USER };
    });
    t.equal((await browser.call(PATH, post({ e_id: 42 }))).status, 200);
    t.equal(gateway.issued.refreshes, 1);
  });

  /** JSON Web Tokens whose payload is missing, empty, no JSON, or no object. */
  const HEADER = 'eyJhbGciOiJub25lIn0';
  const UNREADABLE = ['', '.', '..c', '.~~~.c', '.bm8.c', '.NDI.c', '.W10.c'].map((rest) => HEADER + rest);

  t.test('a token that cannot be decoded is a token parse error', async (t) => {
    const { gateway, browser } = await signedIn(t);
    for (const access_token of UNREADABLE) {
      gateway.identity.on(UPSTREAM, () => ({ access_token, refresh_token: 'd', user_info: USER }));
      const refused = await browser.call(PATH, post({ e_id: 42 }));
      const { code, message } = refused.json();
      t.strictSame(
        [refused.status, code, message],
        [502, 'UPSTREAM_TOKEN_UNREADABLE', 'token parse error'],
        access_token,
      );
    }
  });

  t.test('refusals and failures leave the session unchanged', async (t) => {
    const { gateway, browser, install } = await signedIn(t);
    for (const [answer, status, code] of [
      [stubAnswer(403, {}), 403, 'FORBIDDEN'],
      [stubAnswer(200, { code: 403 }), 403, 'FORBIDDEN'],
      [stubAnswer(404, {}), 404, 'NOT_FOUND'],
      [stubAnswer(400, {}), 400, 'VALIDATION_FAILED'],
      [stubAnswer(500, {}), 502, 'UPSTREAM_INVALID'],
      [stubAnswer(200, {}), 502, 'UPSTREAM_INVALID'],
      [stubAnswer(200, { data: { access_token: 'a b', refresh_token: 'c' } }), 502, 'UPSTREAM_INVALID'],
      [
        stubAnswer(200, { data: { access_token: 'e30.bm8.c', refresh_token: 'c', user_info: USER } }),
        502,
        'UPSTREAM_TOKEN_UNREADABLE',
      ],
      [
        stubAnswer(200, { data: { access_token: 'a.b.c', user_info: { ...USER, user_id: 8 } } }),
        502,
        'UPSTREAM_INVALID',
      ],
    ] as const) {
      gateway.identity.on(UPSTREAM, () => answer);
      const refused = await browser.call(PATH, post({ e_id: 42 }));
      t.equal(refused.status, status);
      t.equal(refused.json().code, code);
      t.equal((await install()).status, 200);
      t.match(lastBearer(gateway), /^Bearer e30\./);
    }
  });

  t.test('bad input does not reach the user service', async (t) => {
    const { gateway, browser } = await signedIn(t);
    for (const body of [
      '{}',
      '{"e_id":"42"}',
      '{"e_id":0}',
      '{"e_id":1.5}',
      '{"e_id":-1}',
      '{"e_id":1e300}',
      '[]',
      '',
    ]) {
      const refused = await browser.call(PATH, { method: 'POST', body });
      t.equal(refused.status, 400, body);
      t.equal(refused.json().code, 'VALIDATION_FAILED', body);
    }
    t.equal((await gateway.browser().call(PATH, post({ e_id: 1 }))).json().code, 'UNAUTHENTICATED');
    t.strictSame(gateway.identity.seen(UPSTREAM), []);
  });

  t.test('without a session the call is refused before its body is read', async (t) => {
    const gateway = await startGateway(t);
    for (const path of ['/api/auth/enterprise', '/api/auth/bind/read']) {
      const answer = await gateway.browser().call(path, { method: 'POST', body: '{' });
      t.equal(answer.status, 401, path);
      t.equal(answer.json().code, 'UNAUTHENTICATED', path);
    }
  });
});

t.test('known device', async (t) => {
  const COOKIE = '__Host-Http-devices';
  const YEAR = 365 * 24 * 60 * 60;

  /** A browser with only the device cookie of another one. */
  function copyOf({ cookies }: Browser, value = cookies.get(COOKIE) ?? ''): Map<string, string> {
    return new Map([[COOKIE, value]]);
  }

  t.test('a known browser is not delayed by failed attempts of others', async (t) => {
    const { gateway, db, signedIn, typeIn, newPerson } = await startBoth(t);
    const { email, password } = await newPerson();
    const known = await signedIn(email, password);
    t.ok(known.cookies.has(COOKIE));
    const stranger = gateway.browser();
    for (let tried = 0; tried < 5; tried += 1) {
      t.equal((await typeIn(stranger, email, 'wrong password')).status, 401);
    }
    await sql`update attempt set blocked_until = now() + interval '1 hour'`.execute(db);
    t.equal((await typeIn(stranger, email, password)).status, 429);
    t.equal(
      (await typeIn(gateway.browser(), email, password)).status,
      429,
      'a browser without the cookie waits too',
    );
    known.cookies.delete('__Host-Http-session');
    t.equal((await typeIn(known, email, password)).status, 200);
    for (const cookies of [copyOf(known), copyOf(known, `${known.cookies.get(COOKIE)}x`)]) {
      const browser = gateway.browser();
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      const answer = await typeIn(browser, email, password);
      const isIntact = cookies.get(COOKIE) === known.cookies.get(COOKIE);
      t.equal(answer.status, isIntact ? 200 : 429);
      t.equal(browser.cookies.has(COOKIE), isIntact, 'an altered cookie is deleted');
    }
  });

  t.test('the device cookie is HttpOnly, small and encrypted', async (t) => {
    const { gateway, newPerson, typeIn } = await startBoth(t);
    const browser = gateway.browser();
    for (let person = 0; person < 7; person += 1) {
      const { email, password } = await newPerson();
      const answer = await typeIn(browser, email, password);
      const { pathname, search } = new URL(String(answer.json().data.continue_to));
      const returned = await browser.visit(pathname + search, { site: 'same-origin' });
      const [line = ''] = returned.setCookies.filter((cookie) => cookie.startsWith(`${COOKIE}=`));
      const [pair = '', ...attributes] = line.split('; ');
      t.strictSame(
        attributes.sort(),
        ['HttpOnly', `Max-Age=${YEAR}`, 'Path=/', 'SameSite=Strict', 'Secure'],
        'attributes',
      );
      t.match(pair, /^__Host-Http-devices=[\w-]+\.[\w-]+$/);
      t.ok(line.length <= 3800, `${line.length} bytes for ${person + 1} users`);
      t.notMatch(answer.text + returned.text, 'device_token');
    }
  });

  t.test('a client cannot send the device header itself', async (t) => {
    const gateway = await startGateway(t, { settings: { PUBLIC_URL: 'https://square.example' } });
    gateway.identity.on('POST /user/page/sign_in', () => ({ continue_to: null, challenge: null }));
    const browser = gateway.browser();
    const body = JSON.stringify({ account: 'a', password: 'b', redirect_uri: 'https://square.example/' });
    const headers = { 'x-known-devices': 'forged' };
    t.equal((await browser.call('/user/page/sign_in', { method: 'POST', body, headers })).status, 200);
    t.strictSame(
      gateway.identity.seen('POST /user/page/sign_in').map(({ headers }) => headers['x-known-devices']),
      [undefined],
    );
  });
});
