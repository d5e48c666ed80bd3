import t from 'tap';
import {
  ADMIN,
  ask,
  CALLBACK,
  codeIn,
  EXCHANGE,
  newPerson,
  signUp,
  testIdentity,
} from '../support/identity.ts';

const { app, db } = await testIdentity(t);

function signIn(account: string, password: string, more: Record<string, unknown> = {}) {
  return ask(app, 'POST /user/page/sign_in', {
    body: { account, password, redirect_uri: CALLBACK, ...more },
  });
}

t.test('the page gets the methods and the password rule', async (t) => {
  const { status, headers, body } = await ask(app, 'GET /user/page/options');
  t.equal(status, 200);
  t.equal(headers['cache-control'], 'no-store');
  t.strictSame(body, {
    code: 0,
    message: 'ok',
    data: {
      methods: [{ source: 'local', method: 'local', kind: 'password', label: null }],
      document_services: [],
      sign_up: true,
      sign_up_by_mail: false,
      password_min: 10,
      reset: 'administrator',
    },
  });
});

t.test('correct credentials return a code and keep other parameters', async (t) => {
  const person = await signUp(app);
  const answer = await signIn(person.email, person.password);
  t.equal(answer.status, 200);
  const target = new URL(String(answer.body.data.continue_to));
  t.equal(target.origin + target.pathname, 'https://square.example/api/auth/callback');
  t.equal(target.searchParams.get('nonce'), 'n0nce');
  t.match(target.searchParams.get('code'), /^[\w-]{43}$/);
});

t.test('a code in the redirect_uri is replaced', async (t) => {
  const answer = await signIn(ADMIN.email, ADMIN.password, { redirect_uri: `${CALLBACK}&code=a&code=b` });
  t.equal(new URL(String(answer.body.data.continue_to)).searchParams.getAll('code').length, 1);
  t.match(codeIn(answer), /^[\w-]{43}$/);
});

t.test('response_type none returns no code', async (t) => {
  const answer = await signIn(ADMIN.email, ADMIN.password, { response_type: 'none' });
  t.equal(answer.body.data.continue_to, CALLBACK);
});

t.test('the account is an e-mail address or a user name, in any case and width', async (t) => {
  for (const account of [ADMIN.email, ' ROOT@Example.ORG ', 'ｒｏｏｔ@example.org', 'admin', 'ADMIN']) {
    t.equal((await signIn(account, ADMIN.password)).status, 200, account);
  }
});

t.test('a password may use another Unicode composition than when it was set', async (t) => {
  const person = await signUp(app, { password: 'crème-brûlée-été' });
  t.equal((await signIn(person.email, person.password.normalize('NFD'))).status, 200);
  t.equal((await signIn(person.email, 'creme-brulee-ete')).status, 401);
});

t.test('a wrong password, an unknown account and an invalid account get the same response', async (t) => {
  const wrong = await signIn(ADMIN.email, 'not the password');
  t.equal(wrong.status, 401);
  t.strictSame(wrong.body, { code: 'CREDENTIALS_INVALID', message: 'The account or the password is wrong.' });
  for (const account of ['nobody@example.org', 'nobody', '\ud800', "' or 1=1 --", '   ']) {
    const answer = await signIn(account, ADMIN.password);
    t.equal(answer.status, 401, JSON.stringify(account));
    t.strictSame(answer.body, wrong.body);
  }
});

t.test('an account without a password cannot be signed in to', async (t) => {
  const person = await signUp(app);
  await db.updateTable('account').set({ password_hash: null }).where('email', '=', person.email).execute();
  t.equal((await signIn(person.email, person.password)).body.code, 'CREDENTIALS_INVALID');
});

t.test('a disabled account is reported only with the correct password', async (t) => {
  const person = await signUp(app);
  await db
    .updateTable('account')
    .set({ disabled_at: new Date() })
    .where('email', '=', person.email)
    .execute();
  const right = await signIn(person.email, person.password);
  t.equal(right.status, 403);
  t.strictSame(right.body, { code: 'ACCOUNT_DISABLED', message: 'This account has been disabled.' });
  t.equal((await signIn(person.email, 'not the password')).body.code, 'CREDENTIALS_INVALID');

  const exchanged = await ask(app, `${EXCHANGE}${person.code}`);
  t.equal(exchanged.status, 403, 'a code from before is no good either');
  t.equal(exchanged.body.code, 'ACCOUNT_DISABLED');
});

t.test('disabling an account invalidates its sessions', async (t) => {
  const tokens = await newPerson(app);
  await db
    .updateTable('account')
    .set({ disabled_at: new Date() })
    .where('user_id', '=', tokens.userId)
    .execute();
  for (const [call, bearer] of [
    ['POST /user/refresh_token', tokens.refresh],
    ['GET /user/valid', tokens.refresh],
    ['GET /user/login/code', tokens.access],
  ] as const) {
    const answer = await ask(app, call, { bearer });
    t.equal(answer.status, 401, call);
    t.equal(answer.body.code, 'TOKEN_INVALID');
  }
});
