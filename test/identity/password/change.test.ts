import t from 'tap';
import { ask, CALLBACK, codeIn, EXCHANGE, exchange, signUp, testIdentity } from '../../support/identity.ts';
import { startStub } from '../../support/stub-upstream.ts';

const CHANGE = 'PUT /user/account/password';
const LOGOUT = 'POST /api/auth/backchannel-logout';
const NEW = 'seven-quiet-lanterns';

const gateway = await startStub(t);
gateway.on(LOGOUT, () => ({}));
const { app, db, clock, logged } = await testIdentity(t, { gatewayUrl: gateway.url });

const change = (bearer: string, current_password: string, password = NEW) =>
  ask(app, CHANGE, { bearer, body: { current_password, password } });
const signIn = (account: string, password: string) =>
  ask(app, 'POST /user/page/sign_in', { body: { account, password, redirect_uri: CALLBACK } });
const isAlive = async (refresh: string) =>
  (await ask(app, 'POST /user/refresh_token', { bearer: refresh })).status === 200;
t.afterEach(async () => {
  await db.deleteFrom('attempt').execute();
});

t.test('a new password ends the other sessions and keeps this one', async (t) => {
  const { email, password, code } = await signUp(app);
  const here = await exchange(app, code);
  const there = await exchange(app, codeIn(await signIn(email, password)));
  const elsewhere = await exchange(app, codeIn(await signIn(email, password)));
  const stranger = await exchange(app, (await signUp(app)).code);
  const waiting = codeIn(await signIn(email, password));
  t.strictSame((await ask(app, 'GET /user/account/password', { bearer: here.access })).body.data, {
    has_password: true,
    password_min: 10,
  });

  const logoutsBefore = gateway.seen(LOGOUT).length;
  clock.now += 1000;
  t.strictSame((await change(here.access, password)).body, { code: 0, message: 'ok', data: {} });
  t.equal(gateway.seen(LOGOUT).length, logoutsBefore + 2, 'one logout token for each session that ended');
  t.ok(await isAlive(here.refresh));
  t.notOk(await isAlive(there.refresh));
  t.notOk(await isAlive(elsewhere.refresh));
  t.ok(await isAlive(stranger.refresh));
  t.equal((await ask(app, 'GET /user/userinfo', { bearer: here.access })).status, 200);
  t.equal((await ask(app, `${EXCHANGE}${waiting}`)).status, 400);
  t.equal((await signIn(email, password)).status, 401);
  t.equal((await signIn(email, NEW)).status, 200);
  const lines = logged()
    .split('\n')
    .filter((line) => line.includes('password changed'));
  t.equal(lines.length, 1);
  t.match(lines[0], `"user_id":${here.userId}`);
});

t.test('a wrong current password keeps the session, and is rate-limited like a failed sign-in', async (t) => {
  const { email, password, code } = await signUp(app);
  const { access, refresh } = await exchange(app, code);
  for (let tries = 0; tries < 5; tries += 1) {
    const { status, body } = await change(access, 'wrong password');
    t.equal(status, 422);
    t.hasStrict(body, { code: 'PASSWORD_WRONG', errors: [{ pointer: '/current_password' }] });
  }
  const { status, headers } = await change(access, password);
  t.equal(status, 429);
  t.match(headers['retry-after'], /^\d+$/);
  t.equal((await signIn(email, password)).status, 429, 'at sign-in too');
  clock.now += 60_000;
  t.equal((await change(access, password)).status, 200);
  t.equal((await signIn(email, NEW)).status, 200, 'and the right one ends it');
  t.ok(await isAlive(refresh));
});

t.test('weak passwords are rejected, and nothing changes', async (t) => {
  const { email, password, code } = await signUp(app);
  const { access } = await exchange(app, code);
  const { status, body } = await change(access, password, 'password123');
  t.equal(status, 422);
  t.hasStrict(body.errors, [{ pointer: '/password', code: 'PASSWORD_COMMON' }]);
  t.equal((await signIn(email, password)).status, 200);
});

t.test('one of two concurrent changes succeeds', async (t) => {
  const { email, password, code } = await signUp(app);
  const { access } = await exchange(app, code);
  const passwords = ['seven-quiet-lanterns', 'eight-quiet-lanterns'];
  const answers = await Promise.all(passwords.map((wanted) => change(access, password, wanted)));
  const refused = answers.filter(({ status }) => status !== 200);
  t.equal(refused.length, 1);
  // The slower one may already see the new password, so that its current password is wrong.
  t.match(`${refused[0]?.status} ${refused[0]?.body.code}`, /^(409 CONFLICT|422 PASSWORD_WRONG)$/);
  for (const [n, wanted] of passwords.entries())
    t.equal((await signIn(email, wanted)).status, answers[n]?.status === 200 ? 200 : 401);
});

t.test('users without a password get an error', async (t) => {
  const { email, password, code } = await signUp(app);
  const { access } = await exchange(app, code);
  await db.updateTable('account').set({ password_hash: null }).where('email', '=', email).execute();
  t.hasStrict((await ask(app, 'GET /user/account/password', { bearer: access })).body.data, {
    has_password: false,
  });
  const { status, body } = await change(access, password);
  t.equal(status, 409);
  t.equal(body.code, 'PASSWORD_ELSEWHERE');
});

t.test('changing a password requires a session', async (t) => {
  t.equal((await ask(app, CHANGE, { body: { current_password: 'a', password: NEW } })).status, 401);
  t.equal((await change('no-token', 'a')).status, 401);
  t.equal((await ask(app, 'GET /user/account/password')).status, 401);
  const { code } = await signUp(app);
  const { access } = await exchange(app, code);
  for (const body of [
    {},
    { current_password: '', password: NEW },
    { current_password: 'a', password: 'x'.repeat(201) },
  ]) {
    t.equal((await ask(app, CHANGE, { bearer: access, body })).body.code, 'VALIDATION_FAILED');
  }
});
