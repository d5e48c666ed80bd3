import t from 'tap';
import { startGateway } from '../../support/gateway.ts';
import { startStub, stubAnswer } from '../../support/stub-upstream.ts';

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

t.test('starting a sign-in never ends the current session', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  await browser.signIn();
  const former = browser.cookies.get('session');
  for (const [what, options] of [...REFUSED, ...TAKEN]) {
    const answer = await browser.visit(START, options);
    t.notMatch(answer.setCookies.join(), 'session=', what);
    t.equal(browser.cookies.get('session'), former, what);
    t.equal((await browser.call('/api/auth/userinfo')).status, 200, what);
  }
  t.strictSame(gateway.identity.seen('POST /user/logout'), []);
});

t.test('a failed sign-in keeps the current session', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  await browser.signIn();
  t.equal((await browser.signIn({ code: 'wrong' })).status, 400);
  t.equal((await browser.call('/api/auth/userinfo')).status, 200);
  t.strictSame(gateway.identity.seen('POST /user/logout'), []);
});

t.test(
  'requirement 6: the new session ends the old one, in the gateway and at the sign-in service',
  async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    await browser.signIn();
    const signedOut = new Promise<void>((resolve) =>
      gateway.identity.on('POST /user/logout', () => {
        resolve();
        return {};
      }),
    );
    const old = browser.cookies.get('session') ?? '';
    t.equal((await browser.signIn()).status, 303);
    t.not(browser.cookies.get('session'), old);
    const thief = gateway.browser();
    thief.cookies.set('session', old);
    t.equal((await thief.call('/api/auth/userinfo')).status, 401);
    t.equal((await browser.call('/api/auth/userinfo')).status, 200);
    await signedOut;
    t.equal(gateway.identity.seen('POST /user/logout').length, 1);
  },
);

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

t.test('a sign-in that cannot start sets no cookie', async (t) => {
  const provider = await startStub(t);
  provider.otherwise(() => stubAnswer(503, {}));
  const settings = {
    AUTH_PROVIDER: 'oidc',
    COMMUNITY_URL: 'http://community.example',
    OIDC_ISSUER: provider.url,
    OIDC_CLIENT_ID: 'square',
    OIDC_CLIENT_SECRET: 'a secret of the tests',
  };
  const gateway = await startGateway(t, { settings });
  const answer = await gateway.browser().visit(START);
  t.equal(answer.status, 502);
  t.match(answer.text, 'login_error=UPSTREAM_INVALID');
  t.strictSame(answer.setCookies, []);
});
