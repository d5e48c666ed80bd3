import t from 'tap';
import { LANGUAGES } from '../../../../shared/languages.ts';
import {
  ADMIN,
  ask,
  CALLBACK,
  codeIn,
  EXCHANGE,
  exchange,
  newPerson,
  PUBLIC_URL,
  renewTokens,
  signUp,
  testIdentity,
} from '../../../support/identity.ts';
import { linkIn, startMailServer } from '../../../support/mail-server.ts';
import { startStub } from '../../../support/stub-upstream.ts';
import { ACCOUNT, challengeOf, dataOf, withSecondFactor } from '../second-factor/support.ts';

t.test('reset by mail', async (t) => {
  const ASK = 'POST /user/page/password_reset';
  const FINISH = 'POST /user/page/password';
  const SIGN_IN = 'POST /user/page/sign_in';
  const LOGOUT = 'POST /api/auth/backchannel-logout';
  const NEW = 'seven-quiet-lanterns';
  const MINUTE = 60_000;

  const mails = await startMailServer(t);
  const gateway = await startStub(t);
  gateway.on(LOGOUT, () => ({}));
  const { app, db, clock, logged } = await testIdentity(t, {
    gatewayUrl: gateway.url,
    mail: { server: mails.server, from: 'Plugin Square <square@example.org>' },
  });

  const reset = (account: string, language = 'en-US', headers: Record<string, string> = {}) =>
    ask(app, ASK, { body: { account, language }, headers });
  const finish = (token: string, password = NEW) => ask(app, FINISH, { body: { token, password } });
  const signIn = (account: string, password: string) =>
    ask(app, SIGN_IN, { body: { account, password, redirect_uri: CALLBACK } });
  const tokenOf = (link: string) => new URL(link).hash.slice(1);
  let sent = 0;
  const nextMail = () => {
    sent += 1;
    return mails.mail(sent);
  };
  t.afterEach(async () => {
    await db.deleteFrom('attempt').execute();
  });

  t.test('the sign-in page offers a reset by mail', async (t) => {
    const { body } = await ask(app, 'GET /user/page/options');
    t.equal(body.data.reset, 'mail');
  });

  t.test('a mailed link sets a new password, ends all sessions and resets the lock-out', async (t) => {
    const { email, password, code } = await signUp(app);
    const { access, refresh, userId } = await exchange(app, code);
    const waiting = codeIn(await signIn(email, password));
    for (let tries = 0; tries < 5; tries += 1) t.equal((await signIn(email, 'wrong password')).status, 401);
    t.equal((await signIn(email, password)).status, 429, 'locked out');

    t.strictSame((await reset(email.toUpperCase())).body, { code: 0, message: 'ok', data: {} });
    const link = linkIn(await nextMail());
    t.equal(link.split('#')[0], `${PUBLIC_URL}/user/login/reset`);
    const { token_hash } = await db.selectFrom('password_link').selectAll().executeTakeFirstOrThrow();
    t.notMatch(token_hash.toString(), tokenOf(link));

    const logoutsBefore = gateway.seen(LOGOUT).length;
    clock.now += 1000;
    t.equal((await finish(tokenOf(link))).status, 200);
    t.equal(gateway.seen(LOGOUT).length, logoutsBefore + 1);
    t.equal((await ask(app, 'GET /user/userinfo', { bearer: access })).status, 401);
    t.equal((await renewTokens(app, refresh)).status, 401);
    t.equal((await ask(app, `${EXCHANGE}${waiting}`)).status, 400, 'nor does an old code open one');
    t.equal((await signIn(email, password)).status, 401);
    t.equal((await signIn(email, NEW)).status, 200);

    const second = await finish(tokenOf(link), 'eight-quiet-lanterns');
    t.equal(second.status, 400);
    t.strictSame(second.body, {
      code: 'PASSWORD_LINK_INVALID',
      message: 'This link has been used or has run out.',
    });
    const lines = logged()
      .split('\n')
      .filter((line) => line.includes('password reset with a link'));
    t.equal(lines.length, 1);
    t.match(lines[0], `"user_id":${userId}`);
    t.notMatch(logged(), tokenOf(link));
  });

  t.test(
    'a link expires, one use invalidates the others, and one of several parallel uses succeeds',
    async (t) => {
      const { email } = await signUp(app);
      await reset(email);
      const first = tokenOf(linkIn(await nextMail()));
      await reset(email);
      const second = tokenOf(linkIn(await nextMail()));
      t.not(first, second);
      clock.now += 30 * MINUTE;
      t.equal((await finish(first)).body.code, 'PASSWORD_LINK_INVALID');
      await db.deleteFrom('attempt').execute();
      await reset(email);
      const third = tokenOf(linkIn(await nextMail()));
      await reset(email);
      const fourth = tokenOf(linkIn(await nextMail()));
      const answers = await Promise.all([third, third, fourth, fourth].map((token) => finish(token)));
      t.strictSame(answers.map(({ status }) => status).sort(), [200, 400, 400, 400]);
      for (const token of ['', 'x'.repeat(129)])
        t.equal((await finish(token)).body.code, 'VALIDATION_FAILED');
      for (const token of ['nobodys', 'x'.repeat(43)]) {
        t.equal((await finish(token)).body.code, 'PASSWORD_LINK_INVALID');
      }
    },
  );

  t.test('a weak password is rejected with the reason, and the link stays valid', async (t) => {
    const { email } = await signUp(app, { email: 'margarita@example.org', nick_name: 'Bulgakov' });
    await reset(email);
    const token = tokenOf(linkIn(await nextMail()));
    const { status, body } = await finish(token, 'Bulgakov 1967');
    t.equal(status, 422);
    t.hasStrict(body.errors, [{ pointer: '/password', code: 'PASSWORD_NAME' }]);
    t.equal((await finish(token)).status, 200);
  });

  t.test('the response does not reveal whether an account exists', async (t) => {
    const { email } = await signUp(app);
    const known = await reset(email);
    const unknown = await reset('nobody@example.org');
    t.equal(known.status, 200);
    t.equal(unknown.status, known.status);
    t.strictSame(unknown.body, known.body);
    t.strictSame(Object.keys(unknown.headers).sort(), Object.keys(known.headers).sort());
    await nextMail();
    for (const account of [email, 'nobody@example.org']) {
      const answers = [];
      for (let asked = 0; asked < 3; asked += 1) answers.push((await reset(account)).status);
      t.strictSame(answers, [200, 200, 429], account);
    }
    await nextMail();
    await nextMail();
    for (const account of ["' or 1=1 --", 'nobody@example.org\r\nBcc: a@example.org']) {
      t.equal((await reset(account)).status, 200);
    }
  });

  t.test('requests of strangers do not block other networks, nor a known device', async (t) => {
    const { email, code } = await signUp(app);
    const { body } = await ask(app, EXCHANGE + code);
    const known = { 'x-known-devices': String(body.data.device_token) };
    const stranger = { 'x-forwarded-for': '203.0.113.9' };
    for (let asked = 0; asked < 3; asked += 1) {
      t.equal((await reset(email, 'en-US', stranger)).status, 200);
      await nextMail();
    }
    t.equal((await reset(email, 'en-US', stranger)).status, 429, 'the stranger has to wait');
    t.equal((await reset(email)).status, 200, 'nobody else does');
    t.equal((await reset(email, 'en-US', known)).status, 200);
    t.strictSame((await nextMail()).to, [email], 'the known device has the next mail');
    await reset(ADMIN.email, 'en-US', stranger);
    t.strictSame((await nextMail()).to, [ADMIN.email], 'the unknown one had none: the mailbox is full');
    clock.now += 30 * MINUTE;
    await reset(email, 'en-US', stranger);
    t.strictSame((await nextMail()).to, [email], 'no longer than a link is good');
  });

  t.test('both names of an account share the limit of its mailbox', async (t) => {
    const { email, code } = await signUp(app);
    const { userId } = await exchange(app, code);
    const { user_name } = await db
      .selectFrom('account')
      .select('user_name')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    for (const account of [email, user_name, email]) {
      t.equal((await reset(account)).status, 200);
      await nextMail();
    }
    t.equal((await reset(user_name)).status, 200);
    await reset(ADMIN.email);
    t.strictSame((await nextMail()).to, [ADMIN.email], 'the next mail is for another account');
  });

  t.test(
    'disabled accounts get no mail, users of other providers get one without a password link',
    async (t) => {
      const gone = await newPerson(app);
      await db
        .updateTable('account')
        .set({ disabled_at: new Date() })
        .where('user_id', '=', gone.userId)
        .execute();
      const elsewhere = await signUp(app);
      await db
        .updateTable('account')
        .set({ password_hash: null })
        .where('email', '=', elsewhere.email)
        .execute();
      const { email } = await db
        .selectFrom('account')
        .select('email')
        .where('user_id', '=', gone.userId)
        .executeTakeFirstOrThrow();
      t.equal((await reset(email)).status, 200);
      t.equal((await reset(elsewhere.email)).status, 200);
      const mail = await nextMail();
      t.strictSame(mail.to, [elsewhere.email]);
      t.match(mail.text, 'Your account has no password here');
      t.match(mail.text, `${PUBLIC_URL}/plugins/`);
      t.notMatch(mail.raw, '/user/login/reset');
    },
  );

  t.test('a link is invalid when its account is disabled', async (t) => {
    const { email } = await signUp(app);
    await reset(email);
    const token = tokenOf(linkIn(await nextMail()));
    await db.updateTable('account').set({ disabled_at: new Date() }).where('email', '=', email).execute();
    t.equal((await finish(token)).body.code, 'ACCOUNT_DISABLED');
  });

  t.test('the mail exists in each language, in text and HTML, and contains no user input', async (t) => {
    const { email } = await signUp(app, { nick_name: '<b>Win</b> https://evil.example' });
    const subjects = new Set<string>();
    for (const language of LANGUAGES) {
      await db.deleteFrom('attempt').execute();
      t.equal((await reset(email, language)).status, 200);
      const mail = await nextMail();
      const { headers, text, html } = mail;
      const link = linkIn(mail);
      t.match(html, `<html lang="${language}">`);
      t.match(html, `href="${link}"`);
      t.match(text, '30');
      t.notMatch(text + html, /evil|Win|\{|\}\s*</);
      subjects.add(/^Subject: (.*)$/m.exec(headers)?.[1] ?? '');
      t.match(headers, `To: ${email}`);
      t.match(headers, 'From: Plugin Square <square@example.org>');
    }
    t.equal(subjects.size, LANGUAGES.length);
    t.equal((await reset(email, 'tlh')).status, 400);
  });

  t.test('an address with special characters is one address and adds no header', async (t) => {
    const address = "a!#$%&'*+/=?^{|}~b@example.org";
    await signUp(app, { email: 'plain@example.org' });
    await db
      .updateTable('account')
      .set({ email: address, email_key: address })
      .where('email', '=', 'plain@example.org')
      .execute();
    t.equal((await reset(address)).status, 200);
    const mail = await nextMail();
    t.equal(mail.to.length, 1);
    t.notMatch(mail.headers, /^(?:Bcc|Cc):/im);
  });
});

t.test('after reset', async (t) => {
  const NEW = 'seven-quiet-lanterns';
  const FINISH = 'POST /user/page/password';
  const REMOVE = 'POST /user/page/password/second_factor';
  const AGENT =
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

  const mails = await startMailServer(t);
  const service = await withSecondFactor(t, 'optional', { server: mails.server, from: 'square@example.org' });
  const { app, db, clock, guarded, passwordOf, pass } = service;
  let sent = 0;

  /** Sets a new password with a mailed link. @returns the data of the response */
  async function reset(account: string, password = NEW) {
    await db.deleteFrom('attempt').execute();
    await ask(app, 'POST /user/page/password_reset', { body: { account, language: 'en-US' } });
    sent += 1;
    const token = new URL(linkIn(await mails.mail(sent))).hash.slice(1);
    clock.now += 1000;
    const answer = await ask(app, FINISH, { body: { token, password } });
    t.equal(answer.status, 200);
    return dataOf(answer);
  }

  const tokenIn = (result: Record<string, unknown>): string =>
    String(Object.entries(result.second_factor ?? {}).find(([name]) => name === 'token')?.[1]);
  const remove = (token: string, code: string) => ask(app, REMOVE, { body: { token, code } });

  t.test('a reset returns the ended sessions, and the remaining second factor', async (t) => {
    const person = await guarded();
    const since = new Date(clock.now - 30_000).toISOString();
    const passed = await pass(await person.challenge(), person.app());
    const code = new URL(String(passed.body.data.continue_to)).searchParams.get('code') ?? '';
    await ask(app, EXCHANGE + code, { headers: { 'user-agent': AGENT } });
    const result = await reset(person.email);
    t.match(result.second_factor, { since, recovery_codes_left: 10, is_required: false, token: String });
    const sessions = Array.isArray(result.ended_sessions) ? result.ended_sessions : [];
    t.hasStrict(sessions.map(({ browser, system, login_method }) => [browser, system, login_method]).sort(), [
      ['', '', 'local'],
      ['Chrome', 'Windows', 'local'],
    ]);
    t.notMatch(JSON.stringify(result), person.secret);
    t.equal(
      (await ask(app, 'GET /user/userinfo', { bearer: person.access })).status,
      401,
      'the session has ended',
    );
    const signedIn = await passwordOf(person.email, NEW);
    t.equal(challengeOf(signedIn).kind, 'code', 'the mailbox alone does not pass the second factor');
  });

  t.test('mailbox and recovery code disable the second factor, the mailbox alone does not', async (t) => {
    const person = await guarded();
    const token = tokenIn(await reset(person.email));
    for (const wrong of ['000000', 'aaaa-aaaa-aaaa-aaaa', '']) {
      const refused = await remove(token, wrong);
      t.equal(refused.body.code, wrong === '' ? 'VALIDATION_FAILED' : 'SECOND_FACTOR_WRONG', wrong);
    }
    const [code = ''] = person.recoveryCodes;
    for (const forged of ['', 'x', token.slice(1), `${token}x`]) {
      const refused = await remove(forged, code);
      t.equal(refused.body.code, forged === '' ? 'VALIDATION_FAILED' : 'PASSWORD_LINK_INVALID', forged);
    }
    t.strictSame(await remove(token, code).then(({ status, body }) => [status, body.data]), [200, {}]);
    t.equal((await remove(token, code)).status, 404, 'there is none any more');
    const { body } = await passwordOf(person.email, NEW);
    t.type(body.data.continue_to, 'string', 'the password is enough now');
  });

  t.test('a code of the app disables it as well, but not after ten minutes', async (t) => {
    const person = await guarded();
    const token = tokenIn(await reset(person.email));
    clock.now += 10 * 60_000;
    t.equal((await remove(token, person.app())).body.code, 'PASSWORD_LINK_INVALID');
    const again = tokenIn(await reset(person.email, 'eight-quiet-lanterns'));
    t.equal((await remove(again, person.app())).status, 200);
  });

  t.test('guesses of the code count like those at sign-in', async (t) => {
    const person = await guarded();
    const token = tokenIn(await reset(person.email));
    for (let tried = 0; tried < 5; tried += 1) t.equal((await remove(token, '000000')).status, 422);
    const refused = await remove(token, person.recoveryCodes[0] ?? '');
    t.hasStrict(refused, { status: 429, headers: { 'retry-after': '2' } });
  });

  t.test(
    'without a second factor the response has none, and a required one cannot be disabled',
    async (t) => {
      t.equal((await reset(ADMIN.email)).second_factor, null);
      const strict = await withSecondFactor(t, 'administrators', {
        server: mails.server,
        from: 's@example.org',
      });
      const person = await strict.guarded();
      await strict.db.updateTable('account').set({ role: 2 }).where('user_id', '=', person.userId).execute();
      await ask(strict.app, 'POST /user/page/password_reset', {
        body: { account: person.email, language: 'en-US' },
      });
      sent += 1;
      const token = new URL(linkIn(await mails.mail(sent))).hash.slice(1);
      const result = dataOf(await ask(strict.app, FINISH, { body: { token, password: NEW } }));
      t.hasStrict(result.second_factor, { is_required: true });
      const refused = await ask(strict.app, REMOVE, {
        body: { token: tokenIn(result), code: person.recoveryCodes[0] },
      });
      t.equal(refused.body.code, 'SECOND_FACTOR_REQUIRED');
    },
  );

  t.test('a stolen session cannot set up a second factor', async (t) => {
    const person = await guarded();
    await ask(app, `POST ${ACCOUNT}/remove`, { bearer: person.access, body: { code: person.app() } });
    clock.now += 6 * 60_000;
    const started = await ask(app, `POST ${ACCOUNT}/begin`, { bearer: person.access, body: {} });
    t.equal(started.body.code, 'SIGN_IN_NOT_RECENT');
  });
});
