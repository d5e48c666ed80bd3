import { createContext, runInContext } from 'node:vm';
import t from 'tap';
import type { Browser } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { type StubUpstream, startStub, stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';

t.test('start of a sign-in', async (t) => {
  const START = '/api/auth/login?return_to=%2Fplugins%2F';

  /** Fetch Metadata of browsers, in this order: dest, mode, site. */
  const metadata = (dest: string, mode: string, site: string) => ({
    site,
    headers: { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode },
  });

  const REFUSED: [string, ReturnType<typeof metadata>][] = [
    ['a picture of a sibling', metadata('image', 'no-cors', 'same-site')],
    ['a picture of another site', metadata('image', 'no-cors', 'cross-site')],
    ['a picture of our own', metadata('image', 'no-cors', 'same-origin')],
    ['a script', metadata('script', 'no-cors', 'same-site')],
    ['a fetch', metadata('empty', 'cors', 'same-origin')],
    ['a fetch without an answer to read', metadata('empty', 'no-cors', 'cross-site')],
    ['a frame of a sibling', metadata('iframe', 'navigate', 'same-site')],
    ['a frame of another site', metadata('iframe', 'navigate', 'cross-site')],
    ['an object', metadata('object', 'navigate', 'same-origin')],
    ['an embed', metadata('embed', 'navigate', 'same-origin')],
    ['a window that does not navigate', metadata('document', 'cors', 'same-origin')],
  ];
  const TAKEN: [string, ReturnType<typeof metadata>][] = [
    ['an address that somebody typed', metadata('document', 'navigate', 'none')],
    ['a link of our own', metadata('document', 'navigate', 'same-origin')],
    ['a link of a sibling', metadata('document', 'navigate', 'same-site')],
    ['a link of another site', metadata('document', 'navigate', 'cross-site')],
    ['a frame of this site', metadata('iframe', 'navigate', 'same-origin')],
  ];

  t.test('only a window or a frame of this site can start a sign-in', async (t) => {
    const gateway = await startGateway(t);
    for (const [what, options] of REFUSED) {
      const answer = await gateway.browser().visit(START, options);
      t.equal(answer.status, 403, what);
      t.strictSame(answer.json(), {
        code: 'CSRF_REFUSED',
        message: 'The request did not come from this site.',
      });
      t.strictSame(answer.setCookies, [], what);
    }
    for (const [what, options] of TAKEN) {
      const answer = await gateway.browser().visit(START, options);
      t.equal(answer.status, 302, what);
      t.match(answer.setCookies, [/^login=/], what);
    }
    t.match(await gateway.registry.metrics(), 'bff_csrf_rejected_total{reason="fetch-dest"} 11');
  });

  t.test('without Fetch Metadata the Accept header decides', async (t) => {
    const gateway = await startGateway(t);
    for (const [accept, status] of [
      ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 302],
      ['image/avif,image/webp,image/apng,image/*,*/*;q=0.8', 403],
      ['*/*', 403],
      ['text/css,*/*;q=0.1', 403],
    ] as const) {
      const answer = await gateway.browser().call(START, { headers: { accept, 'sec-fetch-site': [] } });
      t.equal(answer.status, status, accept);
    }
  });

  t.test('a failed sign-in keeps the current session', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    await browser.signIn();
    t.equal((await browser.signIn({ code: 'wrong' })).status, 400);
    t.equal((await browser.call('/api/auth/userinfo')).status, 200);
    t.strictSame(gateway.identity.seen('POST /user/logout'), []);
  });

  t.test('the query of LOGIN_URL is kept, except for the sign-in’s own parameters', async (t) => {
    const page = 'https://login.example/in?realm=a&redirect_uri=https%3A%2F%2Fevil.example&theme=b';
    const gateway = await startGateway(t, { settings: { LOGIN_URL: page } });
    const to = new URL((await gateway.browser().visit(START)).headers.location ?? '');
    t.equal(to.origin + to.pathname, 'https://login.example/in');
    t.match(Object.fromEntries(to.searchParams), {
      realm: 'a',
      theme: 'b',
      response_type: 'code',
      ux_mode: 'redirect',
      redirect_uri: /\/api\/auth\/callback\?nonce=[^&]+$/,
    });
    t.notMatch(to.href, 'evil.example');
    t.equal(to.searchParams.getAll('redirect_uri').length, 1);
  });

  /** A gateway in front of an OpenID Connect provider. */
  const gatewayOf = (t: Parameters<typeof startGateway>[0], provider: StubUpstream) =>
    startGateway(t, {
      settings: {
        AUTH_PROVIDER: 'oidc',
        COMMUNITY_URL: 'http://community.example',
        OIDC_ISSUER: provider.url,
        OIDC_CLIENT_ID: 'square',
        OIDC_CLIENT_SECRET: 'a secret of the tests',
      },
    });

  t.test('a sign-in that cannot start sets no cookie', async (t) => {
    const provider = await startStub(t);
    provider.otherwise(() => stubAnswer(503, {}));
    const gateway = await gatewayOf(t, provider);
    const answer = await gateway.browser().visit(START);
    t.equal(answer.status, 502);
    t.match(answer.text, 'login_error=UPSTREAM_INVALID');
    t.strictSame(answer.setCookies, []);
  });

  t.test('a sign-in does not wait for a metadata request that hangs', async (t) => {
    const provider = await startStub(t);
    const METADATA = 'GET /.well-known/openid-configuration';
    provider.on(METADATA, () => new Promise(() => undefined));
    const gateway = await gatewayOf(t, provider);
    await until(() => provider.seen(METADATA).length > 0);
    provider.on(METADATA, () =>
      stubAnswer(200, {
        issuer: provider.url,
        authorization_endpoint: `${provider.url}/authorize`,
        jwks_uri: `${provider.url}/keys`,
      }),
    );
    const answer = await gateway.browser().visit(START);
    t.equal(answer.status, 302);
    t.match(answer.headers.location, `${provider.url}/authorize?`);
  });
});

t.test('source of a sign-in', async (t) => {
  const DOCS = { ux_from: 'tencent_docs', login_source_id: '4711' };
  const HTML = { headers: { accept: 'text/html' } };

  /** Starts a sign-in; returns the login page's parameters and their callback. */
  async function begin(browser: Browser, query: Record<string, string>) {
    const started = await browser.visit(`/api/auth/login?${new URLSearchParams(query)}`);
    const asked = new URL(started.headers.location ?? '').searchParams;
    const back = new URL(asked.get('redirect_uri') ?? '');
    /** Calls the callback with these parameters. */
    const comeBack = (more: Record<string, string>) => {
      for (const [name, value] of Object.entries(more)) back.searchParams.set(name, value);
      return browser.visit(back.pathname + back.search, { site: 'same-origin' });
    };
    return { asked, comeBack };
  }

  const pathOf = (address: string | undefined) => {
    const { pathname, searchParams } = new URL(address ?? '', 'http://site');
    return [pathname, Object.fromEntries(searchParams)];
  };

  t.test('the login page gets the document service that the user comes from', async (t) => {
    const gateway = await startGateway(t);
    const wish = { ...DOCS, app_name: 'Docs & <b>', page: 'sign_up' };
    const { asked } = await begin(gateway.browser(), { ...wish, txDocFolderId: 'f' });
    for (const [name, value] of Object.entries(wish)) t.equal(asked.get(name), value);
    t.notOk(asked.has('txDocFolderId'));
  });

  t.test('other parameters are not sent to the login page', async (t) => {
    const gateway = await startGateway(t);
    const plain = await begin(gateway.browser(), {});
    const evil = 'https://evil.example/';
    const foreign = {
      redirect_uri: evil,
      response_type: 'none',
      from: 'x',
      product: 'x',
      channel: 'x',
      code: 'c',
      z: 'z',
    };
    const { asked } = await begin(gateway.browser(), { ...foreign, ...DOCS });
    t.strictSame([...asked.keys()].sort(), [...plain.asked.keys(), ...Object.keys(DOCS)].sort());
    for (const name of ['response_type', 'from', 'product', 'channel']) {
      t.equal(asked.get(name), plain.asked.get(name), name);
    }
    t.notMatch(asked.get('redirect_uri'), 'evil');
  });

  t.test('inconsistent parameters are refused before the sign-in starts', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    for (const [query, pointer] of [
      [{ ux_from: 'tencent_docs' }, '/login_source_id'],
      [{ login_source_id: '4711' }, '/login_source_id'],
      [{ app_name: 'Docs' }, '/app_name'],
      [{ ...DOCS, bind_other: 'bind', page: 'sign_up' }, '/bind_other'],
      [{ ...DOCS, bind_other: 'other' }, '/bind_other'],
      [{ ...DOCS, app_name: 'x'.repeat(61) }, '/app_name'],
      [{ ...DOCS, ux_from: 'a b' }, '/ux_from'],
      [{ txDocFolderId: 'x'.repeat(201) }, '/txDocFolderId'],
    ] as const) {
      const path = `/api/auth/login?${new URLSearchParams(query)}`;
      const answer = await browser.call(path, { headers: { 'sec-fetch-dest': 'document' } });
      t.equal(answer.status, 400, path);
      t.equal(answer.json().code, 'VALIDATION_FAILED');
      t.hasStrict(answer.json().errors, [{ pointer }]);
    }
    t.equal(browser.cookies.size, 0);
    const page = await browser.visit('/api/auth/login?app_name=Docs&return_to=/plugins/%3Fsort=1', HTML);
    t.equal(page.status, 400);
    t.match(
      page.text,
      'url=/plugins/?sort=1&amp;login_error=VALIDATION_FAILED',
      'the user returns to the former page',
    );
    t.notMatch(page.text, 'Docs');
  });

  t.test('local accounts: bind_other redirects to the bind page, and then to the target', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const query = { ...DOCS, bind_other: 'bind', return_to: '/plugins/?sort=1', txDocFolderId: 'f 1' };
    const { asked, comeBack } = await begin(browser, query);
    t.equal(asked.get('bind_other'), 'bind');
    const bindPage = ['/user/login/bind', { ...DOCS, mainUrl: '/plugins/?sort=1', txDocFolderId: 'f 1' }];
    t.strictSame(pathOf((await comeBack({ code: 'good' })).headers.location), bindPage);
    const astray = await begin(browser, { ...query, return_to: 'https://evil.example/' });
    t.hasStrict(pathOf((await astray.comeBack({ code: 'good' })).headers.location), [
      '/user/login/bind',
      { mainUrl: '/plugins/' },
    ]);
    for (const word of ['%20', '/', '字']) {
      const long = await begin(browser, { ...query, return_to: `/plugins/?q=${word.repeat(600)}` });
      const kept = await long.comeBack({ code: 'good' });
      t.hasStrict(pathOf(kept.headers.location), ['/user/login/bind', { mainUrl: '/plugins/' }], word);
    }
  });

  t.test('an external user service has its own bind page', async (t) => {
    const settings = { IDENTITY_URL: 'http://127.0.0.1:9', LOGIN_URL: 'http://login.example/in' };
    const gateway = await startGateway(t, { settings });
    const query = { bind_other: 'bind', return_to: '/plugins/?sort=1' };
    const { asked, comeBack } = await begin(gateway.browser(), query);
    t.equal(asked.get('bind_other'), 'bind');
    t.equal((await comeBack({ code: 'good' })).headers.location, '/plugins/?sort=1');
  });

  t.test('a user who must bind first is redirected to the bind page with the target', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const { comeBack } = await begin(browser, { return_to: '/plugins/plugin/a?x=1', txDocFolderId: 'f' });
    const led = await comeBack({ bind: 'pending-1' });
    t.equal(led.status, 303);
    t.match(pathOf(led.headers.location), [
      '/user/login/bind',
      { id: /^[\w-]{32}$/, mainUrl: '/plugins/plugin/a?x=1', txDocFolderId: 'f' },
    ]);
    t.notMatch(led.headers.location, 'pending-1');
    t.strictSame([...browser.cookies.keys()], ['bind'], 'no session, and the transaction is removed');
    t.equal((await comeBack({ bind: 'pending-1' })).status, 400, 'once');
    const foreign = await gateway.browser().call('/api/auth/callback?nonce=x&bind=pending-1');
    t.equal(foreign.json().code, 'LOGIN_TRANSACTION_INVALID', 'only who has begun it');
    const { comeBack: again } = await begin(browser, {});
    t.equal((await again({ bind: '"><script>' })).status, 400);
    t.equal(gateway.identity.seen('GET /user/login/code/user').length, 0);
  });

  t.test('from a window or frame the binding continues in the opening page', async (t) => {
    const gateway = await startGateway(t);
    for (const ux_mode of ['popup', 'auth']) {
      const { comeBack } = await begin(gateway.browser(), { ux_mode, return_to: '/plugins/?a=1' });
      const { status, text } = await comeBack({ bind: 'p' });
      t.equal(status, 200);
      const next = (/data-next="([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');
      t.match(next, /^\/user\/login\/bind\?id=[\w-]{32}&mainUrl=%2Fplugins%2F%3Fa%3D1$/);
      const script = /<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? '';
      for (const isPopup of [true, false]) {
        const did: string[] = [];
        const host = { location: { replace: (address: string) => did.push(address) } };
        const window = { opener: isPopup ? host : null, parent: host, close: () => did.push('close') };
        runInContext(script, createContext({ window, document: { body: { dataset: { next } } } }));
        t.strictSame(did, isPopup ? [next, 'close'] : [next]);
      }
    }
  });

  t.test('a failed sign-in returns to the target page', async (t) => {
    const gateway = await startGateway(t);
    const { comeBack } = await begin(gateway.browser(), { return_to: `/plugins/?q='"<b>#top` });
    const failed = await comeBack({ code: 'bad' });
    t.equal(failed.status, 400);
    t.match(failed.text, 'data-next="/plugins/?q=%27%22%3Cb%3E&amp;login_error=CODE_INVALID#top"');
  });

  t.test('the login page without an address to return to starts a sign-in to the home page', async (t) => {
    const gateway = await startGateway(t, { queries: [] });
    const start = '/api/auth/login?return_to=%2Fplugins%2F&ux_mode=redirect';
    for (const [query, location] of [
      ['', start],
      ['?redirect_uri=', start],
      ['?x=1&purpose=publish', start],
      ['?page=sign_up', `${start}&page=sign_up`],
      ['?page=elsewhere', start],
    ] as const) {
      const page = await gateway.browser().visit(`/user/login${query}`);
      t.hasStrict([page.status, page.headers.location], [302, location], query);
    }
  });

  t.test('who is signed in goes on from the login page at once', async (t) => {
    const gateway = await startGateway(t, { queries: [] });
    const start = (returnTo: string, more = '') =>
      `/api/auth/login?return_to=${encodeURIComponent(returnTo)}${more}`;
    const go = async (browser: Browser, url: string) => {
      const { status, headers } = await browser.visit(url.replace('http://localhost:8080', ''));
      return [status, headers.location];
    };
    const browser = gateway.browser();
    const begin = async (...at: Parameters<typeof start>): Promise<string> =>
      String((await browser.visit(start(...at))).headers.location);
    const page = await begin('/plugins/plugin/one?x=1');
    const asDialog = await begin('/plugins/', '&ux_mode=auth');
    const documents = await begin('/plugins/', '&ux_from=wps&login_source_id=7&bind_other=bind');
    t.hasStrict(await go(browser, page), [200, undefined], 'nobody is signed in');
    await browser.signIn();
    for (const query of ['', '?page=sign_up', '?redirect_uri='])
      t.strictSame(await go(browser, `/user/login${query}`), [302, '/plugins/'], query);
    t.strictSame(await go(browser, page), [302, '/plugins/plugin/one?x=1'], 'signed in meanwhile');
    t.strictSame(
      await go(browser, page.replace(/nonce%3D[\w-]+/, 'nonce%3Dused')),
      [302, '/plugins/'],
      'its sign-in is over',
    );
    for (const [kept, why] of [
      [await begin('/plugins/account'), 'a signed-in user is asked again'],
      [asDialog, 'a dialog'],
      [documents, 'a document service'],
      ['/user/login?redirect_uri=https%3A%2F%2Felsewhere.example%2F', 'another service'],
    ] as const)
      t.strictSame(await go(browser, kept), [200, undefined], why);
    const other = gateway.browser();
    t.strictSame(await go(other, '/user/login'), [302, `${start('/plugins/')}&ux_mode=redirect`]);
  });

  t.test('the login page contains its options, which are read without the session', async (t) => {
    const gateway = await startGateway(t, { queries: [{ operation: 'readSignInOptions', payload: {} }] });
    gateway.identity.on('GET /user/page/options', () => ({ sign_up: true }));
    const browser = gateway.browser();
    await browser.signIn();
    const page = await browser.visit('/user/login?redirect_uri=x');
    const boot = JSON.parse(/id="boot">(.*)<\/script>/.exec(page.text)?.[1] ?? '{}');
    t.hasStrict(boot.answered, [{ operation: 'readSignInOptions', ok: true, data: { sign_up: true } }]);
    const asked = gateway.identity.seen('GET /user/page/options').at(-1);
    t.ok(asked);
    t.notOk(asked?.headers.authorization ?? asked?.headers.cookie, 'without a session');
  });
});
