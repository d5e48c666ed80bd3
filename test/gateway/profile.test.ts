import t from 'tap';
import { startGateway } from '../support/gateway.ts';
import { startBoth } from '../support/gateway-with-identity.ts';
import { stubAnswer } from '../support/stub-upstream.ts';
import { USER } from '../support/user-service.ts';

const PATH = '/api/auth/profile';
const put = (body: unknown) => ({ method: 'PUT', body: JSON.stringify(body) });
const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });

t.test('a changed name is in the session and its next calls immediately', async (t) => {
  const { gateway, signedIn, newPerson } = await startBoth(t);
  gateway.community.on('POST /api/cmt/plugin/user', () => ({}));
  const person = await newPerson({ nick_name: 'Ada' });
  const browser = await signedIn(person.email, person.password);
  const former = browser.cookies.get('__Host-Http-session');
  const answer = await browser.call(PATH, put({ nick_name: 'Ada Lund' }));
  t.equal(answer.status, 200);
  t.hasStrict(answer.json().data, {
    signed_in: true,
    user: { user_id: person.userId, nick_name: 'Ada Lund' },
  });
  t.notMatch(answer.text, /access_token|refresh_token/);
  t.equal(answer.headers['cache-control'], 'no-store');
  t.not(browser.cookies.get('__Host-Http-session'), former);
  t.hasStrict((await browser.call('/api/auth/session')).json().data, { user: { nick_name: 'Ada Lund' } });
  await browser.call('/api/cmt/plugin/user', post({}));
  const [sent] = gateway.community.seen('POST /api/cmt/plugin/user');
  const claims = String(sent?.headers.authorization).split('.')[1] ?? '';
  t.hasStrict(JSON.parse(Buffer.from(claims, 'base64url').toString()), { nick_name: 'Ada Lund' });

  const refused = await browser.call(PATH, put({ nick_name: ' ' }));
  t.hasStrict(
    [refused.status, refused.json()],
    [400, { code: 'VALIDATION_FAILED', errors: [{ pointer: '/nick_name' }] }],
  );
  const without = await gateway.browser().call(PATH, put({ nick_name: 'Eve' }));
  t.hasStrict([without.status, without.json()], [401, { code: 'UNAUTHENTICATED' }]);
});

t.test('a deleted account is signed out in every browser immediately', async (t) => {
  const { signedIn, newPerson } = await startBoth(t);
  const person = await newPerson({ nick_name: 'Ada' });
  const here = await signedIn(person.email, person.password);
  const there = await signedIn(person.email, person.password);
  const body = { nick_name: 'Ada', plugins: 'keep', language: 'en-US', password: person.password };
  const answer = await here.call('/user/account/delete', post(body));
  t.equal(answer.status, 200);
  for (const browser of [here, there]) {
    const call = await browser.call('/user/account/deletion');
    t.hasStrict([call.status, call.json()], [401, { code: 'SESSION_ENDED' }]);
    t.hasStrict((await browser.call('/api/auth/session')).json().data, { signed_in: false });
  }
});

t.test('without local accounts the calls do not exist', async (t) => {
  const gateway = await startGateway(t, {
    settings: { IDENTITY_URL: 'http://127.0.0.1:9', LOGIN_URL: 'https://login.example/in' },
  });
  const browser = gateway.browser();
  await browser.signIn();
  gateway.community.otherwise(() => stubAnswer(200, { code: 0, message: 'ok', data: USER }));
  gateway.identity.otherwise(() => stubAnswer(200, { code: 0, message: 'ok', data: USER }));
  for (const [path, method] of [
    [PATH, 'PUT'],
    ['/api/cmt/user/avatar', 'POST'],
    ['/api/cmt/user/holdings', 'GET'],
    ['/api/cmt/user/export', 'GET'],
    ['/user/account/deletion', 'GET'],
    ['/user/account/delete', 'POST'],
    ['/user/account/email/change', 'POST'],
  ] as const) {
    const answer = await browser.call(path, method === 'GET' ? {} : { method, body: '{}' });
    t.equal(answer.status, 404, path);
  }
});
