import { decodeJwt } from 'jose';
import t from 'tap';
import { ask, newPerson, testIdentity } from '../../support/identity.ts';
import { startStub } from '../../support/stub-upstream.ts';

const LOGOUT = 'POST /api/auth/backchannel-logout';

const gateway = await startStub(t);
gateway.on(LOGOUT, () => ({}));
const { app, db, clock, logged } = await testIdentity(t, { gatewayUrl: gateway.url });

const events = (from: number) =>
  logged()
    .slice(from)
    .split('\n')
    .filter((line) => line.includes('"event":"refresh_token_reuse"'))
    .map((line) => JSON.parse(line));

/** A user in an enterprise whose refresh token was replaced. */
async function withReplacedToken() {
  const person = await newPerson(app);
  await db.insertInto('enterprise_member').values({ user_id: person.userId, e_id: 7 }).execute();
  const { body } = await ask(app, 'POST /user/reset_token', { bearer: person.access, body: { e_id: 7 } });
  return {
    ...person,
    next: { access: String(body.data.access_token), refresh: String(body.data.refresh_token) },
  };
}

t.test('a token used after sign-out is rejected, and logged only once', async (t) => {
  const person = await newPerson(app);
  await ask(app, 'POST /user/logout', { bearer: person.refresh });
  const from = logged().length;
  const logoutsBefore = gateway.seen(LOGOUT).length;
  for (const call of ['POST /user/refresh_token', 'GET /user/valid', 'POST /user/logout']) {
    const answer = await ask(app, call, { bearer: person.refresh });
    t.equal(answer.status, 401, call);
    t.equal(answer.body.code, 'TOKEN_INVALID');
  }
  await Promise.all(
    Array.from({ length: 10 }, () => ask(app, 'GET /user/valid', { bearer: person.refresh })),
  );
  const [event, ...more] = events(from);
  t.hasStrict(event, {
    level: 'warn',
    reason: 'signed_out',
    user_id: person.userId,
    sid: decodeJwt(person.access).sid,
  });
  t.strictSame(more, []);
  t.notOk(logged().includes(person.refresh));
  t.equal(gateway.seen(LOGOUT).length, logoutsBefore, 'the gateway knows already');
});

t.test(
  'it is detected even after expired rows were deleted, until the session would have ended',
  async (t) => {
    const person = await newPerson(app);
    await ask(app, 'POST /user/logout', { bearer: person.refresh });
    clock.now += 29 * 24 * 60 * 60 * 1000;
    const from = logged().length;
    t.equal((await ask(app, 'POST /user/refresh_token', { bearer: person.refresh })).status, 401);
    t.equal(events(from).length, 1);
    clock.now += 2 * 24 * 60 * 60 * 1000;
    t.equal((await ask(app, 'POST /user/refresh_token', { bearer: person.refresh })).status, 401);
    t.equal(events(from).length, 1);
  },
);

t.test(
  'a replaced token works for another minute, then its use ends the session at the gateway too',
  async (t) => {
    const person = await withReplacedToken();
    const from = logged().length;
    const logoutsBefore = gateway.seen(LOGOUT).length;
    clock.now += 59_999;
    t.equal((await ask(app, 'GET /user/valid', { bearer: person.refresh })).status, 200, 'in flight');
    t.strictSame(events(from), []);
    clock.now += 1;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask(app, 'POST /user/refresh_token', { bearer: person.refresh })),
    );
    t.strictSame(new Set(answers.map(({ status }) => status)), new Set([401]));
    const { sid } = decodeJwt(person.access);
    t.equal(events(from).length, 1);
    t.hasStrict(events(from)[0], { level: 'warn', reason: 'replaced', user_id: person.userId, sid });
    t.equal((await ask(app, 'GET /user/userinfo', { bearer: person.next.access })).status, 401);
    t.equal(gateway.seen(LOGOUT).length, logoutsBefore + 1);
    const form = new URLSearchParams(gateway.seen(LOGOUT).at(-1)?.body.toString());
    t.match(decodeJwt(form.get('logout_token') ?? ''), { sid, sub: String(person.userId) });

    t.equal((await ask(app, 'GET /user/valid', { bearer: person.next.refresh })).status, 401);
    t.hasStrict(events(from)[1], { reason: 'signed_out', sid }, 'the other one is a token of its own');
  },
);

t.test('other sessions of the user stay valid', async (t) => {
  const person = await withReplacedToken();
  const { body } = await ask(app, 'GET /user/login/code', { bearer: person.next.access });
  const beside = await ask(app, `GET /user/login/code/user?code=${body.data.code}`);
  clock.now += 60_000;
  t.equal((await ask(app, 'GET /user/valid', { bearer: person.refresh })).status, 401);
  t.equal(
    (await ask(app, 'GET /user/valid', { bearer: String(beside.body.data.refresh_token) })).status,
    200,
  );
});

t.test('an unknown token causes no security event', async (t) => {
  const from = logged().length;
  t.equal((await ask(app, 'GET /user/valid', { bearer: 'A'.repeat(43) })).status, 401);
  t.strictSame(events(from), []);
});
