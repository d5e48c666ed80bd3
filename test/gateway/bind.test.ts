import t from 'tap';
import { startGateway } from '../support/gateway.ts';
import { stubAnswer } from '../support/stub-upstream.ts';

const UPSTREAM = 'POST /3rd-party/bind';
const PATH = '/api/auth/bind';
const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });

t.test('binding goes with the access token and the whole payload', async (t) => {
  const gateway = await startGateway(t);
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
  const gateway = await startGateway(t);
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

/** Our own words for a service that fails. */
const UNUSABLE = {
  code: 'UPSTREAM_INVALID',
  message: 'A service behind this site gave an unusable answer.',
};

t.test('other refusals are answered with the body of the user service, failures are not', async (t) => {
  const gateway = await startGateway(t);
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
