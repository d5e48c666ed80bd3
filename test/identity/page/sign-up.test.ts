import t from 'tap';
import { ask, CALLBACK, exchange, signUp, testIdentity } from '../../support/identity.ts';

const { app, db } = await testIdentity(t);
const GOOD = {
  email: 'ann@example.org',
  nick_name: 'Ann',
  password: 'violet-umbrella-tram',
  redirect_uri: CALLBACK,
};

function post(more: Record<string, unknown>) {
  return ask(app, 'POST /user/page/sign_up', { body: { ...GOOD, ...more } });
}

t.test('a new account is a general user with a random user name', async (t) => {
  const answer = await post({ nick_name: '  安 Ann 👩‍👩‍👧 ', channel: 'partner' });
  t.equal(answer.status, 200);
  const account = await db
    .selectFrom('account')
    .selectAll()
    .where('email_key', '=', GOOD.email)
    .executeTakeFirstOrThrow();
  t.hasStrict(account, {
    role: 0,
    nick_name: '安 Ann 👩‍👩‍👧',
    channel: 'partner',
    e_id: null,
    disabled_at: null,
  });
  t.match(account.user_name, /^user_[0-9a-f]{12}$/);
  t.match(account.password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

t.test('an address has one account, in any case', async (t) => {
  for (const email of [GOOD.email, 'Ann@Example.ORG', 'ａnn@example.org']) {
    const answer = await post({ email });
    t.equal(answer.status, 409, email);
    t.strictSame(answer.body, {
      code: 'ACCOUNT_EXISTS',
      message: 'An account with this e-mail address already exists.',
    });
  }
});

t.test('one of several parallel sign-ups with one address succeeds', async (t) => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => post({ email: 'race@example.org' })));
  t.strictSame(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 409)]);
});

t.test('weak passwords are rejected at /password', async (t) => {
  const refused: Record<string, string> = {
    'short-pw1': 'PASSWORD_SHORT',
    password123: 'PASSWORD_COMMON',
    'P@ssw0rd2024': 'PASSWORD_COMMON',
    '1234567890': 'PASSWORD_COMMON',
    '9876543210': 'PASSWORD_PATTERN',
    abcdefghijkl: 'PASSWORD_PATTERN',
    aaaaaaaaaaaa: 'PASSWORD_PATTERN',
    abababababab: 'PASSWORD_PATTERN',
    QwertyUIOP: 'PASSWORD_COMMON',
    '!!welcome2025!!': 'PASSWORD_COMMON',
    ｐａｓｓｗｏｒｄ１２３: 'PASSWORD_COMMON',
    '1990-02-14': 'PASSWORD_DATE',
    йцукенгшщз: 'PASSWORD_COMMON',
    пароль12345: 'PASSWORD_COMMON',
    woaini1314: 'PASSWORD_COMMON',
    'Plugin-Square': 'PASSWORD_COMMON',
  };
  for (const [password, code] of Object.entries(refused)) {
    const answer = await post({ email: 'weak@example.org', password });
    t.equal(answer.status, 422, password);
    t.match(answer.body, {
      code: 'PASSWORD_TOO_WEAK',
      message: 'This password is too easy to guess.',
      errors: [{ pointer: '/password', code, message: String }],
    });
    t.equal(answer.body.errors?.length, 1);
    await db.deleteFrom('attempt').execute();
  }
  const named = { email: 'margarita@example.org', nick_name: 'Bulgakov' };
  for (const password of ['Margarita-1967', 'margarita@example.org', 'my bulgakov 77']) {
    t.equal((await post({ ...named, password })).body.code, 'PASSWORD_TOO_WEAK', password);
  }
});

t.test('strong passwords of any script are accepted', async (t) => {
  for (const [index, password] of [
    'correct horse battery',
    'хорошая погода завтра',
    '春眠不覚暁処処聞啼鳥',
    'x9$Kq-7mVw!2',
    'password-of-the-sea-monster',
  ].entries()) {
    t.equal((await post({ email: `good${index}@example.org`, password })).status, 200, password);
  }
});

t.test('invalid fields are rejected with their pointer', async (t) => {
  const cases: [Record<string, unknown>, string][] = [
    [{ nick_name: '   ' }, '/nick_name'],
    [{ nick_name: '\u200b\u200b' }, '/nick_name'],
    [{ nick_name: 'a\u0000b' }, '/nick_name'],
    [{ nick_name: 'a\nb' }, '/nick_name'],
    [{ nick_name: 'ab\u202egnp.exe' }, '/nick_name'],
    [{ nick_name: '\ud800x' }, '/nick_name'],
    [{ nick_name: 'x'.repeat(41) }, '/nick_name'],
    [{ nick_name: 7 }, '/nick_name'],
    [{ email: 'no-at.example.org' }, '/email'],
    [{ email: 'a@b' }, '/email'],
    [{ email: 'a b@example.org' }, '/email'],
    [{ email: 'a\u0000@example.org' }, '/email'],
    [{ email: `${'x'.repeat(250)}@example.org` }, '/email'],
    [{ channel: 'a\u0000' }, '/channel'],
    [{ channel: 'x'.repeat(65) }, '/channel'],
    [{ password: '' }, '/password'],
    [{ password: 'x'.repeat(201) }, '/password'],
    [{ password: ['a'] }, '/password'],
    [{ ux_mode: 'window' }, '/ux_mode'],
    [{ response_type: 'token' }, '/response_type'],
    [{ redirect_uri: 7 }, '/redirect_uri'],
  ];
  for (const [more, pointer] of cases) {
    const answer = await post({ email: 'fields@example.org', ...more });
    t.equal(answer.status, 400, JSON.stringify(more));
    t.equal(answer.body.code, 'VALIDATION_FAILED');
    t.equal(answer.body.errors?.[0]?.pointer, pointer);
  }
  t.notOk(
    await db.selectFrom('account').selectAll().where('email_key', 'like', 'fields%').executeTakeFirst(),
    'nothing was stored',
  );
});

t.test('40 code points are enough for a nick name and 41 too many', async (t) => {
  const name = '👩'.repeat(40);
  t.equal((await post({ email: 'forty@example.org', nick_name: name })).status, 200);
  t.equal((await post({ email: 'more@example.org', nick_name: `${name}a` })).body.code, 'VALIDATION_FAILED');
});

t.test('a new user is signed in with the code', async (t) => {
  const { code } = await signUp(app);
  const { access } = await exchange(app, code);
  t.equal((await ask(app, 'GET /user/userinfo', { bearer: access })).status, 200);
});
