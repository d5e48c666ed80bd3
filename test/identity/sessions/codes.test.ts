import t from 'tap';
import {
  ask,
  EXCHANGE,
  exchange,
  newPerson,
  SHOWN,
  signUp,
  testIdentity,
  tokensIn,
} from '../../support/identity.ts';

const { app, db, clock, logged } = await testIdentity(t);

const REFUSED = { code: 'CODE_INVALID', message: 'code err' };

t.test('a code is exchanged for user info and tokens', async (t) => {
  const person = await signUp(app);
  const { status, headers, body } = await ask(app, `${EXCHANGE}${person.code}`);
  t.equal(status, 200);
  t.equal(headers['cache-control'], 'no-store');
  t.equal(body.code, 0);
  t.match(body.data, {
    email: person.email,
    nick_name: person.nick_name,
    user_name: /^user_/,
    mobile: '',
    sex: 0,
    birthday: '',
    channel: 'official',
    tencent_docs: false,
    avatar_url: '',
    created_at: new Date(clock.now).toISOString(),
    department: '',
    e_id: 0,
    is_administrator: false,
    is_owner: false,
    staff_status: 0,
    identification: '',
    access_token: /^[\w-]+\.[\w-]+\.[\w-]+$/,
    refresh_token: /^[\w-]{43}$/,
    refresh_expires_in: 30 * 24 * 60 * 60,
    login_method: 'local',
  });
  t.equal(body.data.account_id, body.data.user_id);
  t.notOk('password_hash' in body.data);
});

t.test('POST user/oauth2/login returns the same', async (t) => {
  const { code, email } = await signUp(app);
  const { status, body } = await ask(app, 'POST /user/oauth2/login', {
    body: { app: 'square', code, ...SHOWN },
  });
  t.equal(status, 200);
  t.match(body.data, { email, access_token: String, refresh_token: String, login_method: 'local' });
});

t.test('a code is valid for 60 seconds', async (t) => {
  const inTime = await signUp(app);
  const late = await signUp(app);
  clock.now += 59_999;
  t.equal((await ask(app, `${EXCHANGE}${inTime.code}`)).status, 200);
  clock.now += 1;
  const answer = await ask(app, `${EXCHANGE}${late.code}`);
  t.equal(answer.status, 400);
  t.strictSame(answer.body, REFUSED);
});

t.test('a second use is rejected, logged, and ends the session of the first use', async (t) => {
  const { code } = await signUp(app);
  const tokens = await exchange(app, code);
  t.equal((await ask(app, 'GET /user/valid', { bearer: tokens.refresh })).status, 200);
  const second = await ask(app, 'POST /user/oauth2/login', { body: { app: 'square', code, ...SHOWN } });
  t.equal(second.status, 400);
  t.strictSame(second.body, REFUSED);
  t.match(logged(), '"event":"code_reuse"');
  for (const [call, bearer] of [
    ['POST /user/refresh_token', tokens.refresh],
    ['GET /user/userinfo', tokens.access],
  ] as const) {
    t.equal((await ask(app, call, { bearer })).body.code, 'TOKEN_INVALID', call);
  }
});

t.test('exactly one of 20 parallel exchanges of a code succeeds', async (t) => {
  const { code } = await signUp(app);
  const before = await countSessions();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(app, `${EXCHANGE}${code}`)));
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  t.equal(answers.filter(({ body }) => body.code === 'CODE_INVALID').length, 19);
  t.equal(await countSessions(), before + 1);
});

t.test('an unknown code is rejected', async (t) => {
  for (const code of ['x', 'A'.repeat(43), '%27%20or%201=1', 'a'.repeat(2048)]) {
    const answer = await ask(app, `${EXCHANGE}${code}`);
    t.equal(answer.status, 400, code.slice(0, 20));
    t.strictSame(answer.body, REFUSED);
  }
});

t.test('a signed-in user gets a code for a second session', async (t) => {
  const tokens = await newPerson(app);
  const { status, body } = await ask(app, 'GET /user/login/code', { bearer: tokens.access });
  t.equal(status, 200);
  t.equal(body.data.expires_in, 60);
  const beside = tokensIn(await ask(app, `GET /user/login/code/user?code=${body.data.code}`));
  t.equal(beside.userId, tokens.userId);
  await ask(app, 'POST /user/logout', { bearer: beside.refresh });
  t.equal((await ask(app, 'GET /user/valid', { bearer: tokens.refresh })).status, 200, 'the first goes on');
});

t.test('only hashes of codes and tokens are stored', async (t) => {
  const { code } = await signUp(app);
  const tokens = await exchange(app, code);
  const rows = JSON.stringify([
    await db.selectFrom('authorization_code').selectAll().execute(),
    await db.selectFrom('refresh_token').selectAll().execute(),
    await db.selectFrom('session').selectAll().execute(),
  ]);
  for (const secret of [code, tokens.refresh, tokens.access]) {
    t.notOk(rows.includes(secret));
    t.notOk(rows.includes(JSON.stringify([...Buffer.from(secret)]).slice(1, -1)));
  }
});

async function countSessions(): Promise<number> {
  const { count } = await db
    .selectFrom('session')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
