import t from 'tap';
import { LANGUAGES } from '../../../../shared/languages.ts';
import {
  ADMIN,
  ask,
  CALLBACK,
  codeIn,
  exchange,
  PUBLIC_URL,
  signUp,
  testIdentity,
} from '../../../support/identity.ts';
import { linkIn, startMailServer } from '../../../support/mail-server.ts';

t.test('sign up', async (t) => {
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
    for (const email of [GOOD.email, 'Ann@Example.ORG']) {
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
      [{ nick_name: '\u3164' }, '/nick_name'],
      [{ nick_name: '\u2800' }, '/nick_name'],
      [{ nick_name: '\u0301\u0302' }, '/nick_name'],
      [{ nick_name: 'a\u0000b' }, '/nick_name'],
      [{ nick_name: 'a\nb' }, '/nick_name'],
      [{ nick_name: 'ab\u202egnp.exe' }, '/nick_name'],
      [{ nick_name: 'Ada \u2713' }, '/nick_name'],
      [{ nick_name: '\ud800x' }, '/nick_name'],
      [{ nick_name: 'x'.repeat(41) }, '/nick_name'],
      [{ nick_name: 7 }, '/nick_name'],
      [{ email: 'no-at.example.org' }, '/email'],
      [{ email: 'a@b' }, '/email'],
      [{ email: 'anna@corp' }, '/email'],
      [{ email: 'ａnn@example.org' }, '/email'],
      [{ email: 'ann@example.org.' }, '/email'],
      [{ email: 'ann@example.org>' }, '/email'],
      [{ email: '<ann@example.org' }, '/email'],
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
    t.equal(
      (await post({ email: 'more@example.org', nick_name: `${name}a` })).body.code,
      'VALIDATION_FAILED',
    );
  });

  t.test('a new user is signed in with the code', async (t) => {
    const { code } = await signUp(app);
    const { access } = await exchange(app, code);
    t.equal((await ask(app, 'GET /user/userinfo', { bearer: access })).status, 200);
  });
});

t.test('sign up by mail', async (t) => {
  const ASK = 'POST /user/page/sign_up';
  const FINISH = 'POST /user/page/sign_up/finish';
  const PASSWORD = 'violet-umbrella-tram';
  const MINUTE = 60_000;

  const mails = await startMailServer(t);
  const { app, db, clock, logged } = await testIdentity(t, {
    mail: { server: mails.server, from: 'square@example.org' },
  });
  let sent = 0;
  const nextMail = () => {
    sent += 1;
    return mails.mail(sent);
  };
  const askFor = (email: string, more: Record<string, unknown> = {}) =>
    ask(app, ASK, { body: { email, language: 'en-US', redirect_uri: CALLBACK, ...more } });
  const finish = (token: string, more: Record<string, unknown> = {}) =>
    ask(app, FINISH, { body: { token, nick_name: 'Ada', password: PASSWORD, ...more } });
  const signIn = (account: string, password = PASSWORD) =>
    ask(app, 'POST /user/page/sign_in', { body: { account, password, redirect_uri: CALLBACK } });
  const tokenOf = async () => new URL(linkIn(await nextMail())).hash.slice(1);
  const accountOf = (email: string) =>
    db.selectFrom('account').selectAll().where('email_key', '=', email).executeTakeFirst();
  t.afterEach(async () => {
    await db.deleteFrom('attempt').execute();
  });

  t.test('the response to a sign-up does not reveal whether an account exists', async (t) => {
    const answers = [await askFor(ADMIN.email), await askFor('new@example.org')];
    for (const answer of answers) {
      t.equal(answer.status, 200);
      t.strictSame(answer.body, { code: 0, message: 'ok', data: { continue_to: null } });
    }
    t.strictSame(Object.keys(answers[0]?.headers ?? {}), Object.keys(answers[1]?.headers ?? {}));
    const both = [await nextMail(), await nextMail()].sort((a, b) =>
      (a.to[0] ?? '').localeCompare(b.to[0] ?? ''),
    );
    t.strictSame(
      both.map(({ to }) => to),
      [['new@example.org'], [ADMIN.email]],
    );
    const [fresh, owner] = both.map((mail) => mail.text);
    t.match(fresh, `${PUBLIC_URL}/user/login/sign-up#`);
    t.match(owner, 'you already have an account');
    t.notMatch(owner, '/user/login/sign-up');
    t.notOk(await accountOf('new@example.org'), 'no account is created before the link is used');
  });

  t.test('the link creates the account of the user who opens it', async (t) => {
    const { body } = await ask(app, 'GET /user/page/options');
    t.hasStrict(body.data, { sign_up: true, sign_up_by_mail: true });
    await askFor('Ada@Example.org', {
      channel: 'partner',
      nick_name: 'Mallory',
      password: 'known to Mallory',
    });
    const token = await tokenOf();
    const weak = await finish(token, { password: 'password123' });
    t.hasStrict(weak, { status: 422, body: { errors: [{ pointer: '/password', code: 'PASSWORD_COMMON' }] } });
    const nameless = await finish(token, { nick_name: ' ' });
    t.hasStrict(nameless, { status: 400, body: { errors: [{ pointer: '/nick_name' }] } });
    t.strictSame((await finish(token)).body.data, {});
    t.match(await accountOf('ada@example.org'), {
      email: 'Ada@Example.org',
      nick_name: 'Ada',
      channel: 'partner',
      role: 0,
      email_verified_at: new Date(clock.now),
    });
    t.equal((await finish(token)).body.code, 'MAIL_LINK_INVALID', 'once');
    t.equal((await signIn('ada@example.org', 'known to Mallory')).status, 401);
    const { access } = await exchange(app, codeIn(await signIn('ada@example.org')));
    t.equal((await ask(app, 'GET /user/userinfo', { bearer: access })).status, 200);
    t.notMatch(logged(), token);
  });

  t.test('the first used link of several wins; links expire after a day', async (t) => {
    await askFor('race@example.org');
    await askFor('race@example.org');
    const tokens = [await tokenOf(), await tokenOf()];
    const answers = await Promise.all([...tokens, ...tokens].map((token) => finish(token)));
    t.strictSame(answers.map(({ status }) => status).sort(), [200, 400, 400, 400]);
    await askFor('late@example.org');
    const late = await tokenOf();
    clock.now += 24 * 60 * MINUTE;
    t.equal((await finish(late)).body.code, 'MAIL_LINK_INVALID');
    for (const token of ['', 'x'.repeat(129)]) t.equal((await finish(token)).body.code, 'VALIDATION_FAILED');
    t.equal((await finish('nobodys')).body.code, 'MAIL_LINK_INVALID');
  });

  t.test('an unverified address does not prevent its owner from signing up', async (t) => {
    const squatter = await signUp(app, { email: 'squatted@example.org' });
    const { userId } = await exchange(app, squatter.code);
    await askFor('squatted@example.org');
    const mail = await nextMail();
    t.match(mail.text, 'There’s already an account that signs in with this address');
    t.equal((await finish(new URL(linkIn(mail)).hash.slice(1))).status, 200);
    const owner = await accountOf('squatted@example.org');
    t.not(owner?.user_id, userId);
    t.equal((await signIn('squatted@example.org', squatter.password)).status, 401);
    t.equal((await signIn('squatted@example.org')).status, 200);
  });

  t.test('mails to one mailbox are limited, and the responses do not reveal it', async (t) => {
    for (let asked = 0; asked < 5; asked += 1) {
      t.equal((await askFor('flood@example.org')).status, 200);
      if (asked < 3) t.strictSame((await nextMail()).to, ['flood@example.org']);
    }
    await askFor('after@example.org');
    t.strictSame((await nextMail()).to, ['after@example.org']);
  });

  t.test('disabled accounts get no mail', async (t) => {
    await db
      .updateTable('account')
      .set({ disabled_at: new Date() })
      .where('email_key', '=', 'ada@example.org')
      .execute();
    t.equal((await askFor('ada@example.org')).status, 200);
    await askFor('other@example.org');
    t.strictSame((await nextMail()).to, ['other@example.org']);
  });

  t.test('mails exist in each language and contain no user input', async (t) => {
    const subjects = new Set<string>();
    for (const language of LANGUAGES) {
      await db.deleteFrom('attempt').execute();
      for (const email of [ADMIN.email, 'words@example.org']) {
        await askFor(email, { language, nick_name: '<b>Win</b> https://evil.example', channel: 'evil' });
        const { headers, text, html } = await nextMail();
        t.match(html, `<html lang="${language}">`);
        t.notMatch(text + html, /evil|Win|\{|\}\s*</);
        subjects.add(/^Subject: (.*)$/m.exec(headers)?.[1] ?? '');
      }
    }
    t.equal(subjects.size, LANGUAGES.length * 2);
  });

  t.test('without mails the address must be free, and name and password are required', async (t) => {
    const bare = await testIdentity(t);
    const { body } = await ask(bare.app, 'GET /user/page/options');
    t.hasStrict(body.data, { sign_up: true, sign_up_by_mail: false });
    const typed = { email: ADMIN.email, nick_name: 'A', password: PASSWORD, redirect_uri: CALLBACK };
    t.equal((await ask(bare.app, ASK, { body: typed })).body.code, 'ACCOUNT_EXISTS');
    for (const name of ['nick_name', 'password']) {
      const missing = await ask(bare.app, ASK, {
        body: { ...typed, email: 'b@example.org', [name]: undefined },
      });
      t.hasStrict(missing, { status: 400, body: { errors: [{ pointer: `/${name}` }] } });
    }
  });
});

t.test('redirect_uri', async (t) => {
  const { app, db } = await testIdentity(t);

  function signIn(redirect_uri: string) {
    return ask(app, 'POST /user/page/sign_in', {
      body: { account: ADMIN.email, password: ADMIN.password, redirect_uri },
    });
  }

  const FOREIGN = [
    'https://evil.example/api/auth/callback',
    'http://square.example/api/auth/callback',
    'https://square.example',
    'https://square.example.evil.example/',
    'https://square.example:444/',
    'https://square.example:443/',
    'https://square.example@evil.example/',
    'https://user@square.example/',
    'https://user:secret@square.example/',
    'https://evil.example/https://square.example/',
    'https://evil.example#https://square.example/',
    'https://square.example\\@evil.example/',
    'https:\\\\square.example/',
    'https://square.example\\.evil.example/',
    'https://square.example/\\evil.example',
    '//square.example/api/auth/callback',
    '//evil.example/',
    '/api/auth/callback',
    '\\/evil.example/',
    'api/auth/callback',
    'javascript:alert(1)//https://square.example/',
    'data:text/html,<script>alert(1)</script>',
    ' https://square.example/',
    'https://square.example/ ',
    'https://square.example/\r\nSet-Cookie: a=b',
    'https://square.example/\t',
    'ht\ntps://square.example/',
    'https://square.example/#fragment',
    'https://square.example/?next=1#',
    'HTTPS://square.example/',
    'https://SQUARE.example/',
    'https://square%2eexample/',
    'https://square。example/',
    'https://square.example./',
    'https://sub.square.example/',
    'https:square.example/',
    'https:///square.example/',
    'https://square.example/ü',
    'https://[square.example/',
  ];

  t.test("no address to return to: 'redirect_url is empty'", async (t) => {
    const { email: account, password } = ADMIN;
    for (const [call, body] of [
      ['POST /user/page/sign_in', { account, password }],
      ['POST /user/page/sign_in', { account, password, redirect_uri: '' }],
      ['POST /user/page/sign_up', { email: 'new@example.com', nick_name: 'New', password, redirect_uri: '' }],
      ['POST /user/page/sso', { source: 'local' }],
    ] as const) {
      t.hasStrict(await ask(app, call, { body }), {
        status: 400,
        body: { code: 'REDIRECT_URI_EMPTY', message: 'redirect_url is empty' },
      });
    }
  });

  t.test('only addresses of the site are accepted', async (t) => {
    for (const uri of FOREIGN) {
      const answer = await signIn(uri);
      t.equal(answer.status, 400, JSON.stringify(uri));
      t.strictSame(answer.body, {
        code: 'REDIRECT_URI_REFUSED',
        message: 'The redirect_uri does not belong to this site.',
      });
    }
    const { count } = await db
      .selectFrom('authorization_code')
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    t.equal(Number(count), 0, 'no code was issued');
  });

  t.test('every path of the site is accepted, and the result stays on the site', async (t) => {
    for (const uri of [
      'https://square.example/api/auth/callback?nonce=a-b_c',
      'https://square.example/plugins/',
      'https://square.example//evil.example/',
      'https://square.example/../..//evil.example',
      'https://square.example/?next=https://evil.example/',
      'https://square.example/%0d%0aSet-Cookie:a=b',
      'https://square.example/@evil.example',
    ]) {
      const answer = await signIn(uri);
      t.equal(answer.status, 200, uri);
      const target = String(answer.body.data.continue_to);
      t.ok(target.startsWith('https://square.example/'), target);
      t.equal(new URL(target).origin, 'https://square.example');
    }
  });

  t.test('sign-up is equally strict', async (t) => {
    const body = { email: 'a@example.org', nick_name: 'A', password: 'violet-umbrella-tram' };
    const answer = await ask(app, 'POST /user/page/sign_up', {
      body: { ...body, redirect_uri: 'https://evil.example/' },
    });
    t.equal(answer.body.code, 'REDIRECT_URI_REFUSED');
    t.notOk(await db.selectFrom('account').selectAll().where('email', '=', body.email).executeTakeFirst());
  });

  t.test('a site with a port returns to that port only', async (t) => {
    const local = await testIdentity(t, { publicUrl: 'http://localhost:8080' });
    const body = { account: ADMIN.email, password: ADMIN.password };
    const statusOf = async (redirect_uri: string) =>
      (await ask(local.app, 'POST /user/page/sign_in', { body: { ...body, redirect_uri } })).status;
    t.equal(await statusOf('http://localhost:8080/api/auth/callback?nonce=1'), 200);
    t.equal(await statusOf('http://localhost:80801/'), 400);
    t.equal(await statusOf('http://localhost/'), 400);
    t.equal(await statusOf('http://127.0.0.1:8080/'), 400);
  });
});
