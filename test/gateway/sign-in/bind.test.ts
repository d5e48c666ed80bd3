import t from 'tap';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';

const UPSTREAM = 'POST /3rd-party/bind';
const PATH = '/api/auth/bind';
/** An external user service with its own login page. */
const FOREIGN = { IDENTITY_URL: 'http://127.0.0.1:9', LOGIN_URL: 'https://login.example/in' };
const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });

t.test('binding sends the access token and the whole payload', async (t) => {
  const gateway = await startGateway(t, { settings: FOREIGN });
  gateway.identity.on(UPSTREAM, () => ({ bound: true, access_token: 'CANARY-x' }));
  const browser = gateway.browser();
  const anonymous = await browser.call(PATH, post({}));
  t.equal(anonymous.status, 401);
  t.equal(anonymous.json().code, 'UNAUTHENTICATED');
  t.strictSame(gateway.identity.requests, []);

  await browser.signIn();
  const answer = await browser.call(PATH, post({ source: 'wechat', id: 'abc', deep: { a: [1] } }));
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
  t.equal((await browser.call(PATH, post({}))).status, 200);
  t.equal(gateway.issued.refreshes, 1);
  refusals = 9;
  const refused = await browser.call(PATH, post({}));
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
  const refused = await browser.call(PATH, post({}));
  t.equal(refused.status, 409);
  t.strictSame(JSON.parse(refused.text), { code: 40901, message: 'bound to another' });
  for (const failed of [
    stubAnswer(500, { code: 500, message: 'CANARY: no route to db-7.internal' }),
    stubAnswer(503, 'CANARY'),
    stubAnswer(200, { code: 502, message: 'CANARY' }),
    stubAnswer(302, '', { location: 'https://CANARY.example' }),
  ]) {
    gateway.identity.on(UPSTREAM, () => failed);
    const answer = await browser.call(PATH, post({}));
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
    const read = (id: string) => browser.call(`${PATH}/read`, post({ id }));
    t.hasStrict((await read('wx_1')).json(), { code: 'UNAUTHENTICATED' });
    const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F');
    const callback = new URL(new URL(started.headers.location ?? '').searchParams.get('redirect_uri') ?? '');
    callback.searchParams.set('bind', 'wx_2');
    const led = await browser.visit(callback.pathname + callback.search);
    const handle = new URL(led.headers.location ?? '', 'http://site').searchParams.get('id') ?? '';
    await browser.signIn();
    const nameless = { label: null, method: null, email: '', avatar_url: '', proof: 'none' };
    t.strictSame((await read('wx_1')).json().data, { ...nameless, name: 'wx_1' });
    t.strictSame((await read(handle)).json().data, { ...nameless, name: 'wx_2' });
    const own = { id: 'wx_1', mainUrl: 'https://design.example/app', txDocFolderId: 'f' };
    t.equal((await browser.call(PATH, post(own))).status, 200);
    t.equal((await browser.call(PATH, post({ id: handle }))).status, 200);
    t.equal((await browser.call(PATH, post({ id: handle }))).status, 200, 'removed: just an id');
    t.strictSame(bound, [own, { id: 'wx_2' }, { id: handle }]);
    t.equal((await browser.call(`${PATH}/begin`, post({}))).status, 404, 'only our own service’s');
  },
);

t.test('a URL of another site is refused', async (t) => {
  const gateway = await startGateway(t, { settings: FOREIGN });
  const browser = gateway.browser();
  await browser.signIn();
  for (const mainUrl of ['https://evil.example/', '//evil.example', '/api/auth/logout', 7, null]) {
    const refused = await browser.call(PATH, post({ id: 'wx_1', mainUrl }));
    t.equal(refused.status, 400, String(mainUrl));
    t.hasStrict(refused.json(), { code: 'VALIDATION_FAILED', errors: [{ pointer: '/mainUrl' }] });
  }
  t.strictSame(gateway.identity.seen(UPSTREAM), []);
});
