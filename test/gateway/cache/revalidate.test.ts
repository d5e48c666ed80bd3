import t from 'tap';
import { send } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';
import { USER } from '../../support/user-service.ts';

const VALID = 'GET /user/valid';
const INSTALL = '/api/cmt/plugin/user';
const MINUTE = 60_000;
const OWN = { 'x-requested-with': 'plugin-square' };

async function signedIn(t: Parameters<typeof startGateway>[0]) {
  const gateway = await startGateway(t);
  gateway.community.on(`POST ${INSTALL}`, () => ({}));
  const browser = gateway.browser();
  await browser.signIn();
  return { gateway, browser, install: () => browser.call(INSTALL, { method: 'POST', body: '{}' }) };
}

t.test('after five minutes the session is validated once, with the refresh token', async (t) => {
  const { gateway, browser, install } = await signedIn(t);
  gateway.clock.ahead = 4 * MINUTE;
  await install();
  t.equal(gateway.identity.seen(VALID).length, 0);
  gateway.clock.ahead = 6 * MINUTE;
  const before = gateway.received();
  gateway.identity.on(VALID, async () => {
    await until(() => gateway.received() === before + 4);
    return { info: { ...USER, nick_name: 'Countess', access_token: 'CANARY-x' } };
  });
  const answers = await Promise.all([
    install(),
    install(),
    browser.call('/api/auth/session'),
    browser.visit('/plugins/'),
  ]);
  t.ok(answers.every(({ status }) => status === 200));
  t.equal(gateway.identity.seen(VALID).length, 1);
  t.match(gateway.identity.seen(VALID)[0]?.headers.authorization, /^Bearer CANARY-refresh-/);
  t.hasStrict((await browser.call('/api/auth/session')).json().data, { user: { nick_name: 'Countess' } });
  gateway.clock.ahead = 10 * MINUTE;
  await install();
  t.equal(gateway.identity.seen(VALID).length, 1, 'and not again for five minutes');
});

t.test('the user info is found at any place of the body', async (t) => {
  for (const body of [
    { info: { ...USER, nick_name: 'New' } },
    { code: 0, data: { info: { ...USER, nick_name: 'New' } } },
    { code: 200, data: {}, info: { ...USER, nick_name: 'New' } },
    { code: 0, data: { data: { info: { ...USER, nick_name: 'New' } } } },
    { code: 0, data: { ...USER, nick_name: 'New' } },
  ]) {
    const { gateway, browser } = await signedIn(t);
    gateway.clock.ahead = 6 * MINUTE;
    gateway.identity.on(VALID, () => stubAnswer(200, body));
    t.hasStrict((await browser.call('/api/auth/session')).json().data, { user: { nick_name: 'New' } });
  }
});

t.test('401 ends the session', async (t) => {
  for (const refusal of [stubAnswer(401, {}), stubAnswer(200, { code: 401, message: 'gone' })]) {
    const { gateway, browser, install } = await signedIn(t);
    const old = browser.cookies.get('session') ?? '';
    gateway.clock.ahead = 6 * MINUTE;
    gateway.identity.on(VALID, () => refusal);
    const ended = await install();
    t.equal(ended.status, 401);
    t.strictSame(ended.json(), { code: 'SESSION_ENDED', message: 'do not have local authInfo' });
    t.equal(browser.cookies.size, 0);
    t.strictSame(gateway.community.seen(`POST ${INSTALL}`), []);
    gateway.identity.on(VALID, () => ({ info: USER }));
    browser.cookies.set('session', old);
    t.equal((await install()).status, 401, 'for good');
    t.ok(gateway.lines().some(({ event }) => event === 'validation_refused'));
  }
});

t.test('a failure keeps the session and pauses the validation', async (t) => {
  for (const failure of [
    stubAnswer(500, 'oops'),
    stubAnswer(404, {}),
    stubAnswer(403, {}),
    stubAnswer(200, '<html>'),
    stubAnswer(200, { data: { info: { ...USER, user_id: 8 } } }),
  ]) {
    const { gateway, browser, install } = await signedIn(t);
    gateway.clock.ahead = 6 * MINUTE;
    gateway.identity.on(VALID, () => failure);
    t.equal((await install()).status, 200);
    t.equal((await install()).status, 200);
    t.equal(gateway.identity.seen(VALID).length, 1);
    t.hasStrict((await browser.call('/api/auth/session')).json().data, {
      user: { user_id: 7, nick_name: 'Ada' },
    });
    gateway.clock.ahead += 31_000;
    await install();
    t.equal(gateway.identity.seen(VALID).length, 2);
  }
});

/**
 * The result of `work`, if it is there before an earlier call to the hanging user service times out, which may
 * take the user service's whole timeout.
 */
async function beforeTimeout<T>(
  { identity, url }: Awaited<ReturnType<typeof startGateway>>,
  work: () => Promise<T>,
): Promise<T | 'late'> {
  identity.on('GET /user/page/options', () => new Promise(() => undefined));
  const given = send(url, '/user/page/options', { headers: OWN }).then(() => 'late' as const);
  given.catch(() => undefined);
  await until(() => identity.seen('GET /user/page/options').length > 0);
  return Promise.race([work(), given]);
}

t.test('a user service that is down or hangs ends no session', async (t) => {
  const { gateway, install } = await signedIn(t);
  gateway.clock.ahead = 6 * MINUTE;
  gateway.identity.on(VALID, () => new Promise(() => undefined));
  t.hasStrict(
    await beforeTimeout(gateway, install),
    { status: 200 },
    'the call does not wait for the timeout',
  );
  gateway.clock.ahead += 31_000;
  await gateway.identity.stop();
  t.equal((await install()).status, 200);
});

t.test('a page does not wait for a slow refresh', async (t) => {
  const { gateway, browser } = await signedIn(t);
  gateway.clock.ahead = 16 * MINUTE;
  gateway.identity.on('POST /user/refresh_token', () => new Promise(() => undefined));
  t.hasStrict(await beforeTimeout(gateway, () => browser.visit('/plugins/')), { status: 200 });
  t.equal(browser.cookies.has('session'), true);
});
