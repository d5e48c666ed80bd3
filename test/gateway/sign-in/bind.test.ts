import { createHash, randomBytes } from 'node:crypto';
import t from 'tap';
import { EMBEDDED, pathOf, post, startBindSite } from '../../support/bind-site.ts';
import type { Browser } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { PUBLIC_URL } from '../../support/identity.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';

t.test('bind', async (t) => {
  const UPSTREAM = 'POST /3rd-party/bind';
  const PATH = '/api/auth/bind';
  /** An external user service with its own login page. */
  const FOREIGN = { IDENTITY_URL: 'http://127.0.0.1:9', LOGIN_URL: 'https://login.example/in' };
  const jsonPost = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });

  t.test('binding sends the access token and the whole payload', async (t) => {
    const gateway = await startGateway(t, { settings: FOREIGN });
    gateway.identity.on(UPSTREAM, () => ({ bound: true, access_token: 'CANARY-x' }));
    const browser = gateway.browser();
    const anonymous = await browser.call(PATH, jsonPost({}));
    t.equal(anonymous.status, 401);
    t.equal(anonymous.json().code, 'UNAUTHENTICATED');
    t.strictSame(gateway.identity.requests, []);

    await browser.signIn();
    const answer = await browser.call(PATH, jsonPost({ source: 'wechat', id: 'abc', deep: { a: [1] } }));
    t.equal(answer.status, 200);
    t.strictSame(answer.json().data, { bound: true });
    const [sent] = gateway.identity.seen(UPSTREAM);
    t.match(sent?.headers.authorization, /^Bearer e30\./);
    t.strictSame(JSON.parse(String(sent?.body)), { source: 'wechat', id: 'abc', deep: { a: [1] } });
  });

  t.test('a refused access token is renewed once', async (t) => {
    const gateway = await startGateway(t, { settings: FOREIGN });
    const browser = gateway.browser();
    await browser.signIn();
    let refusals = 1;
    gateway.identity.on(UPSTREAM, () => {
      refusals -= 1;
      return refusals >= 0 ? stubAnswer(401, { code: 401 }) : { bound: true };
    });
    t.equal((await browser.call(PATH, jsonPost({}))).status, 200);
    t.equal(gateway.issued.refreshes, 1);
    refusals = 9;
    const refused = await browser.call(PATH, jsonPost({}));
    t.equal(refused.status, 401);
    t.equal(refused.json().code, 'UNAUTHENTICATED');
    t.equal(gateway.issued.refreshes, 2);
    t.equal(browser.cookies.has('session'), true);
    t.equal((await browser.call('/api/auth/userinfo')).status, 200);
  });

  /** Our own error envelope for a failing service. */
  const UNUSABLE = {
    code: 'UPSTREAM_INVALID',
    message: 'A service behind this site gave an unusable answer.',
  };

  t.test('refusals are returned with the body of the user service, failures are not', async (t) => {
    const gateway = await startGateway(t, { settings: FOREIGN });
    const browser = gateway.browser();
    await browser.signIn();
    gateway.identity.on(UPSTREAM, ({ headers }) =>
      stubAnswer(409, { code: 40901, message: 'bound to another', echo: `got ${headers.authorization}` }),
    );
    const refused = await browser.call(PATH, jsonPost({}));
    t.equal(refused.status, 409);
    t.strictSame(JSON.parse(refused.text), { code: 40901, message: 'bound to another' });
    for (const failed of [
      stubAnswer(500, { code: 500, message: 'CANARY: no route to db-7.internal' }),
      stubAnswer(503, 'CANARY'),
      stubAnswer(200, { code: 502, message: 'CANARY' }),
      stubAnswer(302, '', { location: 'https://CANARY.example' }),
    ]) {
      gateway.identity.on(UPSTREAM, () => failed);
      const answer = await browser.call(PATH, jsonPost({}));
      t.equal(answer.status, 502);
      t.strictSame(JSON.parse(answer.text), UNUSABLE);
      t.notMatch(answer.text + JSON.stringify(answer.headers), 'CANARY');
    }
    t.equal((await browser.call(PATH, { method: 'POST', body: '[]' })).json().code, 'VALIDATION_FAILED');
  });

  t.test(
    'external user service: its own bindings are forwarded, those of the callback stay in the gateway',
    async (t) => {
      const gateway = await startGateway(t, { settings: { ...FOREIGN, SITE_URL: 'https://design.example' } });
      const bound: unknown[] = [];
      gateway.identity.on(UPSTREAM, ({ body }) => {
        bound.push(JSON.parse(String(body)));
        return {};
      });
      const browser = gateway.browser();
      const read = (id: string) => browser.call(`${PATH}/read`, jsonPost({ id }));
      t.hasStrict((await read('wx_1')).json(), { code: 'UNAUTHENTICATED' });
      const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F');
      const callback = new URL(
        new URL(started.headers.location ?? '').searchParams.get('redirect_uri') ?? '',
      );
      callback.searchParams.set('bind', 'wx_2');
      const led = await browser.visit(callback.pathname + callback.search);
      const handle = new URL(led.headers.location ?? '', 'http://site').searchParams.get('id') ?? '';
      await browser.signIn();
      const nameless = { label: null, method: null, email: '', avatar_url: '', proof: 'none' };
      t.strictSame((await read('wx_1')).json().data, { ...nameless, name: 'wx_1' });
      t.strictSame((await read(handle)).json().data, { ...nameless, name: 'wx_2' });
      const own = { id: 'wx_1', mainUrl: 'https://design.example/app', txDocFolderId: 'f' };
      t.equal((await browser.call(PATH, jsonPost(own))).status, 200);
      t.equal((await browser.call(PATH, jsonPost({ id: handle }))).status, 200);
      t.equal((await browser.call(PATH, jsonPost({ id: handle }))).status, 200, 'removed: just an id');
      t.strictSame(bound, [own, { id: 'wx_2' }, { id: handle }]);
      t.equal((await browser.call(`${PATH}/begin`, jsonPost({}))).status, 404, 'only our own service’s');
    },
  );

  t.test('a URL of another site is refused', async (t) => {
    const gateway = await startGateway(t, { settings: FOREIGN });
    const browser = gateway.browser();
    await browser.signIn();
    for (const mainUrl of ['https://evil.example/', '//evil.example', '/api/auth/logout', 7, null]) {
      const refused = await browser.call(PATH, jsonPost({ id: 'wx_1', mainUrl }));
      t.equal(refused.status, 400, String(mainUrl));
      t.hasStrict(refused.json(), { code: 'VALIDATION_FAILED', errors: [{ pointer: '/mainUrl' }] });
    }
    t.strictSame(gateway.identity.seen(UPSTREAM), []);
  });
});

t.test('proof of the binding', async (t) => {
  const { gateway, newPerson, guarded, arrive, signInHere, linkedTo } = await startBindSite(t);
  const COOKIE = '__Host-Http-bind';

  t.test('only the browser of the sign-in can bind, once and with a proof', async (t) => {
    const owner = await guarded('noor');
    const browser = gateway.browser();
    const link = await arrive(browser, 'noor');
    await signInHere(browser, owner);
    const id = link.searchParams.get('id');
    t.match(id, /^[\w-]{32}$/);
    const set = browser.received.filter((head) => head.includes(`${COOKIE}=`)).at(-1) ?? '';
    t.match(set, /__Host-Http-bind=[\w.-]+; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Strict/);
    const shown = await post(browser, '/api/auth/bind/read', { id });
    t.strictSame(shown.json().data, {
      label: 'Ada ID',
      method: 'oidc',
      name: 'noor Lovelace',
      email: 'noor@example.org',
      avatar_url: '',
      proof: 'code',
    });
    const bare = await post(browser, '/api/auth/bind', { id });
    t.hasStrict([bare.status, bare.json().code], [403, 'REAUTHENTICATION_REQUIRED']);
    const byPassword = await post(browser, '/api/auth/bind', { id, password: owner.password });
    t.hasStrict([byPassword.status, byPassword.json().code], [403, 'REAUTHENTICATION_REQUIRED']);
    const wrong = await post(browser, '/api/auth/bind', { id, code: '000000' });
    t.hasStrict([wrong.status, wrong.json().code], [422, 'SECOND_FACTOR_WRONG']);
    t.strictSame(await linkedTo(owner.userId), []);
    const bound = await post(browser, '/api/auth/bind', { id, code: owner.totp() });
    t.equal(bound.status, 200);
    t.strictSame(bound.json().data, {});
    t.strictSame(await linkedTo(owner.userId), [{ subject: 'noor' }]);
    t.equal(browser.cookies.has(COOKIE), false, 'forgotten');
    t.hasStrict((await post(browser, '/api/auth/bind', { id })).json(), { code: 'BIND_REFUSED' });
  });

  t.test('wrong passwords are counted per account and refused with Retry-After', async (t) => {
    const owner = await newPerson({ email: 'olga@example.org' });
    const browser = gateway.browser();
    const id = (await arrive(browser, 'olga')).searchParams.get('id');
    await signInHere(browser, owner);
    for (let tries = 0; tries < 5; tries += 1) {
      const wrong = await post(browser, '/api/auth/bind', { id, password: 'wrong' });
      t.hasStrict([wrong.status, wrong.json().code], [422, 'PASSWORD_WRONG']);
    }
    const early = await post(browser, '/api/auth/bind', { id, password: owner.password });
    t.hasStrict(
      [early.status, early.json().code, early.headers['retry-after']],
      [429, 'TOO_MANY_REQUESTS', '2'],
    );
    t.strictSame(await linkedTo(owner.userId), []);
  });
});

t.test('binding in another browser', async (t) => {
  const { gateway, newPerson, guarded, signedIn, arrive, provedAs, signInHere, linkedTo } =
    await startBindSite(t);
  const DOCS = { ux_from: 'tencent_docs', login_source_id: 'docs' };
  const COOKIE = '__Host-Http-bind';

  t.test('a bind link of another browser binds nothing', async (t) => {
    const victim = await guarded('mara');
    const attacker = gateway.browser();
    const link = await arrive(attacker, 'mara');
    t.equal(link.pathname, '/user/login/bind');
    const id = link.searchParams.get('id');
    await victim.browser.visit(pathOf(link));
    const refused = await post(victim.browser, '/api/auth/bind', { id, code: victim.totp() });
    t.equal(refused.status, 403);
    t.hasStrict(refused.json(), { code: 'BIND_REFUSED' });
    t.strictSame(await linkedTo(victim.userId), []);
    const again = await arrive(gateway.browser(), 'mara');
    t.equal(
      again.pathname,
      '/user/login/bind',
      'the attacker gained nothing: no sign-in without the second factor',
    );
  });

  t.test('each tab has its own binding; altered, foreign and expired ones are refused', async (t) => {
    const owner = await newPerson({ email: 'pia@example.org' });
    const { password } = owner;
    const browser = gateway.browser();
    const links: URL[] = [];
    for (let tab = 0; tab < 5; tab += 1) links.push(await arrive(browser, 'pia'));
    await signInHere(browser, owner);
    const [oldest, second, third] = links.map((link) => link.searchParams.get('id'));
    const bind = (id: unknown) => post(browser, '/api/auth/bind', { id, password });
    t.hasStrict((await bind(oldest)).json(), { code: 'BIND_REFUSED' }, 'four are kept');
    const kept = browser.cookies.get(COOKIE) ?? '';
    t.equal(Buffer.byteLength(kept) < 3000, true);
    const altered = kept.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const other = gateway.browser();
    await arrive(other, 'pia');
    const transaction = browser.cookies.get('__Host-Http-login') ?? 'none';
    for (const value of [altered, other.cookies.get(COOKIE) ?? '', transaction, '']) {
      browser.cookies.set(COOKIE, value);
      t.hasStrict((await bind(second)).json(), { code: 'BIND_REFUSED' });
    }
    browser.cookies.set(COOKIE, kept);
    gateway.clock.ahead = 15 * 60_000 + 1000;
    t.hasStrict((await post(browser, '/api/auth/bind/read', { id: second })).json(), {
      code: 'BIND_REFUSED',
    });
    gateway.clock.ahead = 0;
    t.equal((await bind(second)).status, 200);
    t.equal((await bind(third)).status, 200, 'an existing binding is fine as well');
  });

  t.test('an id in a URL or in the callback of another sign-in binds nothing', async (t) => {
    const victim = await newPerson({ email: 'rosa@example.org' });
    const { password } = victim;
    const browser = await signedIn(victim.email, password);
    const attacker = gateway.browser();
    await arrive(attacker, 'rosa');
    const earned = attacker.received.flatMap((head) => /[?&]bind=([\w-]{43})/.exec(head)?.[1] ?? []);
    const id = earned.at(-1);
    t.hasStrict((await post(browser, '/api/auth/bind', { id, password })).json(), { code: 'BIND_REFUSED' });
    const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F');
    const callback = new URL(new URL(started.headers.location ?? '').searchParams.get('redirect_uri') ?? '');
    callback.searchParams.set('bind', id ?? '');
    const led = await browser.visit(pathOf(callback), { site: 'cross-site' });
    const page = new URL(led.headers.location ?? '', PUBLIC_URL);
    const swapped = { id: page.searchParams.get('id'), password };
    await signInHere(browser, victim);
    t.hasStrict((await post(browser, '/api/auth/bind', swapped)).json(), { code: 'BIND_REFUSED' });
    t.strictSame(await linkedTo(victim.userId), []);
  });

  t.test('a sign-in for another page gets no id', async (t) => {
    await newPerson({ email: 'sara@example.org' });
    const browser = gateway.browser();
    const led = await arrive(browser, 'sara', `${PUBLIC_URL}/plugins/?sort=1`);
    t.equal(led.pathname, '/user/login', 'the gateway starts it again');
    t.notMatch(browser.received.join('\n'), /\/user\/login\/bind\?/);
  });

  t.test('bind_other: only the browser that started it can complete it', async (t) => {
    const owner = await newPerson({});
    const { password } = owner;
    const browser = await signedIn(owner.email, password);
    const begin = (more: object = {}) =>
      post(browser, '/api/auth/bind/begin', { ...DOCS, mainUrl: '/plugins/?sort=1', ...more });
    const anonymous = await post(gateway.browser(), '/api/auth/bind/begin', DOCS);
    t.hasStrict([anonymous.status, anonymous.json().code], [401, 'UNAUTHENTICATED']);
    for (const mainUrl of [
      'https://evil.example/',
      '//evil.example',
      'javascript:alert(1)',
      '/api/auth/logout',
    ]) {
      const refused = await begin({ mainUrl });
      t.hasStrict(
        [refused.status, refused.json().code, refused.json().errors],
        [400, 'VALIDATION_FAILED', [{ pointer: '/mainUrl' }]],
      );
    }
    const unknown = await begin({ login_source_id: 'oidc' });
    t.hasStrict([unknown.status, unknown.json().code], [400, 'LOGIN_SOURCE_UNKNOWN']);

    const victim = await signedIn(owner.email, password);
    const sent = await provedAs('tess', await begin());
    const there = await victim.visit(pathOf(sent), { site: 'cross-site' });
    const callback = new URL(there.headers.location ?? '', PUBLIC_URL);
    t.equal(callback.pathname, '/api/auth/callback');
    const stopped = await victim.visit(pathOf(callback), { site: 'cross-site' });
    t.equal(stopped.status, 400);
    t.match(stopped.text, 'LOGIN_TRANSACTION_INVALID');

    const own = await browser.visit(pathOf(await provedAs('tess', await begin({ txDocFolderId: 'f1' }))));
    const led = await browser.visit(pathOf(new URL(own.headers.location ?? '', PUBLIC_URL)));
    const page = new URL(led.headers.location ?? '', PUBLIC_URL);
    const { id, ...rest } = Object.fromEntries(page.searchParams);
    t.equal(page.pathname, '/user/login/bind');
    t.strictSame(rest, { mainUrl: '/plugins/?sort=1', txDocFolderId: 'f1' });
    t.hasStrict((await post(victim, '/api/auth/bind', { id, password })).json(), { code: 'BIND_REFUSED' });
    t.equal((await post(browser, '/api/auth/bind', { id, password })).status, 200);
    t.strictSame(await linkedTo(owner.userId), [{ subject: 'tess' }]);
  });

  t.test('third-party sign-in by a call: its binding belongs to its browser as well', async (t) => {
    const owner = await newPerson({ email: 'vera@example.org' });
    const { password } = owner;
    const handOver = async (browser: Browser) => {
      const verifier = randomBytes(32).toString('base64url');
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      const begun = await post(browser, '/user/page/third_party', {
        source: 'docs',
        redirect_uri: PUBLIC_URL + EMBEDDED,
        challenge,
      });
      const { searchParams } = await provedAs('vera', begun);
      const { code, state, iss } = Object.fromEntries(searchParams);
      const answer = await post(browser, '/api/auth/third-party/docs', { code, state, verifier, iss });
      return Object(answer.json().data.answer) as { need_bind: boolean; id: string };
    };
    const { need_bind, id: stolen } = await handOver(gateway.browser());
    t.equal(need_bind, true);
    const browser = await signedIn(owner.email, password);
    t.hasStrict((await post(browser, '/api/auth/bind', { id: stolen, password })).json(), {
      code: 'BIND_REFUSED',
    });
    const { id } = await handOver(browser);
    t.match(id, /^[\w-]{32}$/);
    t.equal((await post(browser, '/api/auth/bind', { id, password })).status, 200);
    t.strictSame(await linkedTo(owner.userId), [{ subject: 'vera' }]);
  });
});
