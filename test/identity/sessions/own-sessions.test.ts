import { decodeJwt } from 'jose';
import t from 'tap';
import { ask, EXCHANGE, newPerson, signUp, testIdentity } from '../../support/identity.ts';
import { startStub } from '../../support/stub-upstream.ts';

const LOGOUT = 'POST /api/auth/backchannel-logout';
const LIST = 'GET /user/session/list';
const SIGN_OUT = 'POST /user/session/sign_out';
const SIGN_OUT_OTHERS = 'POST /user/session/sign_out_others';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0';

const gateway = await startStub(t);
gateway.on(LOGOUT, () => ({}));
const { app, db, clock, logged } = await testIdentity(t, { gatewayUrl: gateway.url });

type Row = { sid: string } & Record<string, unknown>;
const sidOf = (access: string) => String(decodeJwt(access).sid);

async function listOf(access: string): Promise<Row[]> {
  const { status, body } = await ask(app, LIST, { bearer: access });
  t.equal(status, 200);
  const list = body.data.session_list;
  return Array.isArray(list) ? list : [];
}

/** Another session of a user, with this User-Agent. */
async function beside(access: string, agent = FIREFOX) {
  const { body } = await ask(app, 'GET /user/login/code', { bearer: access });
  const headers = { 'user-agent': agent };
  const answer = await ask(app, `GET /user/login/code/user?code=${body.data.code}`, { headers });
  return { access: String(answer.body.data.access_token), refresh: String(answer.body.data.refresh_token) };
}

const statusOf = async (bearer: string) => (await ask(app, 'GET /user/userinfo', { bearer })).status;
const loggedOutSids = () =>
  gateway
    .seen(LOGOUT)
    .map(({ body }) => decodeJwt(new URLSearchParams(body.toString()).get('logout_token') ?? '').sid);

t.test('users see their own sessions, with the current one marked, and no others', async (t) => {
  const me = await newPerson(app);
  await newPerson(app);
  clock.now += 1000;
  const other = await beside(me.access);
  const rows = await listOf(me.access);
  t.strictSame(rows, [
    {
      sid: sidOf(other.access),
      browser: 'Firefox',
      system: 'Linux',
      login_method: 'local',
      login_label: null,
      created_at: new Date(clock.now).toISOString(),
      last_active_at: new Date(clock.now).toISOString(),
      is_current: false,
    },
    {
      ...rows[1],
      sid: sidOf(me.access),
      browser: '',
      system: '',
      is_current: true,
    },
  ]);
  const stored = JSON.stringify(await db.selectFrom('session').selectAll().execute());
  t.notOk(stored.includes('Gecko'), 'no more of the header is stored');
});

t.test('the last activity of a session is updated once a minute', async (t) => {
  const me = await newPerson(app);
  const started = clock.now;
  const active = async () => Date.parse(String((await listOf(me.access))[0]?.last_active_at)) - started;
  clock.now += 59_000;
  await ask(app, 'POST /user/refresh_token', { bearer: me.refresh });
  t.equal(await active(), 0);
  clock.now += 1000;
  await ask(app, 'GET /user/valid', { bearer: me.refresh });
  t.equal(await active(), 60_000);
});

t.test('a session is ended, at the gateway too; a second time it is not found', async (t) => {
  const me = await newPerson(app);
  const other = await beside(me.access);
  const sid = sidOf(other.access);
  const answer = await ask(app, SIGN_OUT, { bearer: me.access, body: { sid } });
  t.equal(answer.status, 200);
  t.strictSame(answer.body.data, {});
  t.equal(loggedOutSids().at(-1), sid);
  t.strictSame([await statusOf(me.access), await statusOf(other.access)], [200, 401]);
  t.equal((await listOf(me.access)).length, 1);
  const again = await ask(app, SIGN_OUT, { bearer: me.access, body: { sid } });
  t.equal(again.status, 404);
  t.equal(again.body.code, 'NOT_FOUND');
  t.equal(loggedOutSids().filter((each) => each === sid).length, 1);
  t.match(logged(), `"user_id":${me.userId},"sid":"${sid}","action":"session.end"`);
});

t.test('users cannot end sessions of others', async (t) => {
  const me = await newPerson(app);
  const stranger = await newPerson(app);
  const logoutsBefore = loggedOutSids().length;
  for (const sid of [sidOf(stranger.access), '00000000-0000-4000-8000-000000000000']) {
    const answer = await ask(app, SIGN_OUT, { bearer: me.access, body: { sid } });
    t.equal(answer.status, 404, sid);
    t.equal(answer.body.code, 'NOT_FOUND');
  }
  t.equal(await statusOf(stranger.access), 200);
  for (const sid of ['', 'x', "' or true --", 7, null, `${sidOf(stranger.access)}0`]) {
    const answer = await ask(app, SIGN_OUT, { bearer: me.access, body: { sid } });
    t.equal(answer.status, 400, String(sid));
    t.equal(answer.body.code, 'VALIDATION_FAILED');
  }
  for (const call of [LIST, SIGN_OUT_OTHERS]) {
    t.equal((await ask(app, call)).body.code, 'UNAUTHENTICATED', call);
    t.equal((await ask(app, call, { bearer: me.refresh })).body.code, 'TOKEN_INVALID', call);
  }
  t.equal(loggedOutSids().length, logoutsBefore);
});

t.test('all other sessions are ended, and earlier codes become invalid', async (t) => {
  const me = await newPerson(app);
  const stranger = await newPerson(app);
  const others = [await beside(me.access), await beside(me.access)];
  const { body: code } = await ask(app, 'GET /user/login/code', { bearer: others[0]?.access ?? '' });
  clock.now += 1000;
  const logoutsBefore = loggedOutSids().length;
  const answer = await ask(app, SIGN_OUT_OTHERS, { bearer: me.access });
  t.strictSame(answer.body.data, { ended: 2 });
  t.strictSame(loggedOutSids().slice(logoutsBefore).sort(), others.map(({ access }) => sidOf(access)).sort());
  t.strictSame(await Promise.all(others.map(({ access }) => statusOf(access))), [401, 401]);
  t.strictSame([await statusOf(me.access), await statusOf(stranger.access)], [200, 200]);
  t.equal((await ask(app, `GET /user/login/code/user?code=${code.data.code}`)).body.code, 'CODE_INVALID');
  t.strictSame((await ask(app, SIGN_OUT_OTHERS, { bearer: me.access })).body.data, { ended: 0 });
  clock.now += 1;
  const later = await beside(me.access);
  t.equal(await statusOf(later.access), 200, 'a sign-in afterwards');
});

t.test('sessions end even if the gateway is unreachable', async (t) => {
  gateway.on(LOGOUT, (_seen, response) => {
    response.statusCode = 503;
    response.end();
  });
  t.teardown(() => gateway.on(LOGOUT, () => ({})));
  const me = await newPerson(app);
  const others = [await beside(me.access), await beside(me.access), await beside(me.access)];
  const logoutsBefore = gateway.seen(LOGOUT).length;
  t.strictSame((await ask(app, SIGN_OUT_OTHERS, { bearer: me.access })).body.data, { ended: 3 });
  t.equal(gateway.seen(LOGOUT).length, logoutsBefore + 1, 'it is called only once');
  t.strictSame(await Promise.all(others.map(({ access }) => statusOf(access))), [401, 401, 401]);
});

t.test('ended sessions are not listed', async (t) => {
  const { code } = await signUp(app);
  const { body } = await ask(app, `${EXCHANGE}${code}`);
  const other = await beside(String(body.data.access_token));
  clock.now += 30 * 24 * 60 * 60 * 1000 - 60_000;
  const { body: renewed } = await ask(app, 'POST /user/refresh_token', { bearer: other.refresh });
  await db
    .updateTable('session')
    .set({ expires_at: new Date(clock.now) })
    .where('sid', '=', sidOf(String(body.data.access_token)))
    .execute();
  t.strictSame(
    (await listOf(String(renewed.data.access_token))).map(({ sid }) => sid),
    [sidOf(other.access)],
  );
});
