import t from 'tap';
import { startGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import { USER } from '../../support/user-service.ts';

const INSTALL = '/api/cmt/plugin/user';
const LARGE = 6000;

t.test('new tokens above the cookie size limit end the session, logged once', async (t) => {
  const gateway = await startGateway(t);
  gateway.community.on(`POST ${INSTALL}`, () => ({}));
  const browser = gateway.browser();
  const install = () => browser.call(INSTALL, { method: 'POST', body: '{}' });
  await browser.signIn();
  const old = browser.cookies.get('session') ?? '';
  gateway.issued.padding = LARGE;
  gateway.clock.ahead = 16 * 60_000;
  const ended = await install();
  t.equal(ended.status, 401);
  t.equal(ended.json().code, 'SESSION_ENDED');
  t.equal(browser.cookies.size, 0);
  browser.cookies.set('session', old);
  t.equal((await install()).status, 401);
  t.equal(gateway.issued.refreshes, 1, 'no repeated refresh');
  const told = await until(() => gateway.identity.seen('POST /user/logout')[0]);
  t.match(told.headers.authorization, /^Bearer CANARY-refresh-/, 'its tokens are revoked too');
  t.ok(gateway.lines().some(({ event }) => event === 'session_too_large'));

  const again = await browser.signIn();
  t.equal(again.status, 502, 'the next sign-in logs the cause');
  t.match(again.text, 'login_error=UPSTREAM_INVALID');
});

t.test('a change of enterprise above the limit ends the session too', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  await browser.signIn();
  gateway.identity.on('POST /user/reset_token', () => ({
    access_token: `a.b.${'c'.repeat(LARGE)}`,
    refresh_token: 'd',
  }));
  const ended = await browser.call('/api/auth/enterprise', { method: 'POST', body: '{"e_id":2}' });
  t.equal(ended.status, 401);
  t.equal(ended.json().code, 'SESSION_ENDED');
});

t.test('user info above the limit is not updated', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  await browser.signIn();
  gateway.identity.on('GET /user/valid', () => ({ info: { ...USER, nick_name: 'x'.repeat(LARGE) } }));
  gateway.clock.ahead = 6 * 60_000;
  const { data } = (await browser.call('/api/auth/session')).json();
  t.hasStrict(data, { signed_in: true, user: { nick_name: 'Ada' } });
});
