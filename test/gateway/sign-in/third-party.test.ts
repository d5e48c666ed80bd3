import t from 'tap';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { USER } from '../../support/user-service.ts';

const UPSTREAM = 'POST /3rd-party/oauth2/wechat/auth';
const PATH = '/api/auth/third-party/wechat';
const JWT = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiI3In0.c2lnbmF0dXJl';

/** Our own error envelope for a failing service. */
const UNUSABLE = {
  code: 'UPSTREAM_INVALID',
  message: 'A service behind this site gave an unusable answer.',
};

const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });

t.test('a third party signs in: tokens become a session and stay inside', async (t) => {
  const gateway = await startGateway(t);
  gateway.identity.on(UPSTREAM, () => ({
    ...USER,
    access_token: gateway.issued.accessToken(),
    refresh_token: 'CANARY-third-party',
    is_new: true,
  }));
  const browser = gateway.browser();
  const answer = await browser.call(PATH, post({ code: 'CANARY-their-code', scene: 3 }));
  t.equal(answer.status, 200);
  t.hasStrict(answer.json().data, {
    session: { signed_in: true, role: 0, user: { user_id: 7 } },
    answer: { is_new: true },
  });
  const [sent] = gateway.identity.seen(UPSTREAM);
  t.strictSame(JSON.parse(String(sent?.body)), { code: 'CANARY-their-code', scene: 3 });
  t.equal(sent?.headers.authorization, undefined);
  t.notMatch([answer.text, gateway.logText()].join(), 'CANARY');
  t.equal((await browser.call('/api/auth/session')).json().data.signed_in, true);
});

t.test('it replaces the session that was there', async (t) => {
  const gateway = await startGateway(t);
  gateway.identity.on(UPSTREAM, () => ({ ...USER, access_token: 'a.b.c', refresh_token: 'd' }));
  const browser = gateway.browser();
  await browser.signIn();
  const old = browser.cookies.get('session') ?? '';
  t.equal((await browser.call(PATH, post({}))).status, 200);
  t.not(browser.cookies.get('session'), old);
  browser.cookies.set('session', old);
  t.equal((await browser.call('/api/auth/userinfo')).status, 401);
});

t.test('an answer without tokens is passed on and signs nobody in', async (t) => {
  const gateway = await startGateway(t, {
    settings: { IDENTITY_URL: 'http://127.0.0.1:9', LOGIN_URL: 'https://login.example/in' },
  });
  gateway.identity.on(UPSTREAM, () => ({ need_bind: true, id: 'abc' }));
  const browser = gateway.browser();
  const answer = await browser.call(PATH, post({}));
  t.strictSame(answer.json().data, { session: null, answer: { need_bind: true, id: 'abc' } });
  t.equal(browser.cookies.size, 0);
});

t.test('a refusal is answered with the body of the user service, without tokens', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  const body = {
    code: 4007,
    message: 'not bound',
    data: {
      bind_id: 'abc',
      access_token: 'CANARY-1',
      nested: [{ refreshToken: 'CANARY-2', id_token: 'CANARY-3', code: 'CANARY-4', kept: 1 }, JWT],
      hint: `Bearer ${JWT}`,
    },
  };
  gateway.identity.on(UPSTREAM, () => stubAnswer(409, body));
  const refused = await browser.call(PATH, post({}));
  t.equal(refused.status, 409);
  t.strictSame(JSON.parse(refused.text), {
    code: 4007,
    message: 'not bound',
    data: { bind_id: 'abc', nested: [{ kept: 1 }] },
  });
  t.equal(refused.headers['cache-control'], 'no-store');

  gateway.identity.on(UPSTREAM, () => stubAnswer(200, { code: 4007, message: 'not bound' }));
  t.strictSame(JSON.parse((await browser.call(PATH, post({}))).text), { code: 4007, message: 'not bound' });
  t.equal(browser.cookies.size, 0);
});

t.test('a refusal without a body is an empty object, a failure our own envelope', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  for (const [answer, status] of [
    [stubAnswer(400, '<html>no</html>'), 400],
    [stubAnswer(500, { code: 500, message: 'oops' }), 502],
    [stubAnswer(501, ''), 502],
    [stubAnswer(302, '', { location: 'https://evil.example' }), 502],
    [stubAnswer(400, '["list"]'), 400],
  ] as const) {
    gateway.identity.on(UPSTREAM, () => answer);
    const refused = await browser.call(PATH, post({}));
    t.equal(refused.status, status);
    t.strictSame(JSON.parse(refused.text), status === 400 ? {} : UNUSABLE);
    t.equal(refused.headers.location, undefined);
  }
  await gateway.identity.stop();
  const down = await browser.call(PATH, post({}));
  t.equal(down.status, 502);
  t.equal(down.text, '{}');
});

t.test('invalid calls never reach the user service', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  for (const [path, body, code] of [
    ['/api/auth/third-party/%2e%2e', '{}', 'BAD_PATH'],
    ['/api/auth/third-party/a%2fb', '{}', 'BAD_PATH'],
    ['/api/auth/third-party/a%20b', '{}', 'VALIDATION_FAILED'],
    [`/api/auth/third-party/${'a'.repeat(65)}`, '{}', 'VALIDATION_FAILED'],
    [PATH, '[]', 'VALIDATION_FAILED'],
    [PATH, '"text"', 'VALIDATION_FAILED'],
    [PATH, '', 'VALIDATION_FAILED'],
    [PATH, '{"a":', 'MALFORMED_BODY'],
    [PATH, '{"__proto__":{"a":1}}', 'MALFORMED_BODY'],
  ] as const) {
    const answer = await browser.call(path, { method: 'POST', body });
    t.equal(answer.status, 400, `${path} ${body}`);
    t.equal(answer.json().code, code, `${path} ${body}`);
  }
  const large = await browser.call(PATH, post({ text: 'x'.repeat(70_000) }));
  t.equal(large.status, 413);
  const foreign = await browser.call(PATH, { ...post({}), headers: { 'x-requested-with': 'x' } });
  t.equal(foreign.status, 403);
  t.strictSame(gateway.identity.requests, []);
});
