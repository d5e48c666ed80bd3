import { decodeJwt } from 'jose';
import t from 'tap';
import { joinEnterprise, upsertEnterprise } from '../../server/identity/accounts/store.ts';
import {
  ADMIN,
  ask,
  CALLBACK,
  codeIn,
  ENCRYPTOR,
  EXCHANGE,
  exchange,
  newPerson,
  renewTokens,
  signUp,
  testIdentity,
} from '../support/identity.ts';

t.test('sign in', async (t) => {
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
    t.strictSame(wrong.body, {
      code: 'CREDENTIALS_INVALID',
      message: 'The account or the password is wrong.',
    });
    for (const account of ['nobody@example.org', 'nobody', "' or 1=1 --", '   ']) {
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
    t.equal((await renewTokens(app, tokens.refresh)).body.code, 'TOKEN_INVALID');
    for (const [call, bearer] of [
      ['GET /user/valid', tokens.refresh],
      ['GET /user/login/code', tokens.access],
    ] as const) {
      const answer = await ask(app, call, { bearer });
      t.equal(answer.status, 401, call);
      t.equal(answer.body.code, 'TOKEN_INVALID');
    }
  });
});

t.test('enterprise', async (t) => {
  const { app, db, clock } = await testIdentity(t);

  const me = await newPerson(app);
  await db
    .insertInto('enterprise_member')
    .values([
      { user_id: me.userId, e_id: 7, department: 'Design', is_owner: true, staff_status: 1 },
      { user_id: me.userId, e_id: 8, is_administrator: true },
    ])
    .execute();

  t.test('a member switches to an enterprise and gets its tokens and user info', async (t) => {
    const { status, body } = await ask(app, 'POST /user/reset_token', {
      bearer: me.access,
      body: { e_id: 7 },
    });
    t.equal(status, 200);
    t.strictSame(Object.keys(body.data).sort(), [
      'access_token',
      'refresh_expires_in',
      'refresh_token',
      'user_info',
    ]);
    t.hasStrict(body.data.user_info, {
      user_id: me.userId,
      e_id: 7,
      department: 'Design',
      is_owner: true,
      is_administrator: false,
      staff_status: 1,
    });
    const claims = decodeJwt(String(body.data.access_token));
    t.match(claims, { e_id: 7, department: 'Design' }, 'which decide on default installs');
    t.notOk('e_id' in decodeJwt(me.access) || 'department' in decodeJwt(me.access));
    const bearer = String(body.data.refresh_token);
    t.not(bearer, me.refresh);
    t.equal((await ask(app, 'GET /user/valid', { bearer })).status, 200);
    t.equal(decodeJwt(String(body.data.access_token)).sid, decodeJwt(me.access).sid, 'one session');
    clock.now += 29_000;
    t.equal((await ask(app, 'GET /user/valid', { bearer: me.refresh })).status, 200, 'calls under way go on');

    const other = await ask(app, 'POST /user/reset_token', {
      bearer: String(body.data.access_token),
      body: { e_id: 8 },
    });
    t.hasStrict(other.body.data.user_info, {
      e_id: 8,
      department: '',
      is_owner: false,
      is_administrator: true,
    });
  });

  t.test('users cannot switch to an enterprise of others', async (t) => {
    const stranger = await newPerson(app);
    for (const e_id of [7, 9, Number.MAX_SAFE_INTEGER]) {
      const answer = await ask(app, 'POST /user/reset_token', { bearer: stranger.access, body: { e_id } });
      t.equal(answer.status, 403);
      t.strictSame(answer.body, { code: 'FORBIDDEN', message: 'The current account has no permission.' });
    }
    t.equal((await ask(app, 'GET /user/valid', { bearer: stranger.refresh })).status, 200);
  });

  t.test('a former member has no enterprise', async (t) => {
    await db.deleteFrom('enterprise_member').where('user_id', '=', me.userId).execute();
    const fresh = await ask(app, 'GET /user/userinfo', { bearer: me.access });
    t.hasStrict(fresh.body.data, { e_id: 0, department: '', is_owner: false, is_administrator: false });
  });

  t.test('users see their own enterprises with the configured names', async (t) => {
    const list = 'GET /user/account/enterprise/list';
    t.equal((await ask(app, list)).status, 401);
    const person = await newPerson(app);
    t.strictSame((await ask(app, list, { bearer: person.access })).body.data, { enterprises: [] });
    const member = { user_id: person.userId, department: 'Lab' };
    await joinEnterprise(db, { userId: person.userId, eId: 70, department: 'Lab' });
    await db
      .insertInto('enterprise_member')
      .values({ ...member, e_id: 60, is_owner: true })
      .execute();
    await upsertEnterprise(db, 70, 'Nordlys');
    await upsertEnterprise(db, 70, 'Nordlys Studio');
    const { body } = await ask(app, list, { bearer: person.access });
    const enterprise = { department: 'Lab', is_owner: false, is_administrator: false };
    t.strictSame(body.data.enterprises, [
      { ...enterprise, e_id: 60, name: '', is_owner: true },
      { ...enterprise, e_id: 70, name: 'Nordlys Studio' },
    ]);
    t.hasStrict((await ask(app, 'GET /user/userinfo', { bearer: person.access })).body.data, { e_id: 70 });
  });
});

t.test('publish grant', async (t) => {
  const ISSUE = 'POST /user/publish-grant';
  const CHECK = 'POST /user/publish-grant/check';

  const { app, db, clock, logged } = await testIdentity(t);
  const issue = (bearer?: string) => ask(app, ISSUE, bearer === undefined ? {} : { bearer });
  const granted = async (bearer: string) => String((await issue(bearer)).body.data.grant);
  const rolesOf = async (...grant_list: string[]) =>
    (await ask(app, CHECK, { body: { grant_list } })).body.data.role_list;

  t.test('a grant returns the current role of its account', async (t) => {
    const person = await newPerson(app);
    const signed = await ask(app, 'POST /user/page/sign_in', {
      body: { account: ADMIN.email, password: ADMIN.password, redirect_uri: CALLBACK },
    });
    const root = await exchange(app, codeIn(signed));
    const answer = await issue(person.access);
    t.equal(answer.status, 200);
    t.match(answer.body, { code: 0, data: { grant: /^[\w-]+\.[\w-]+$/, role: 0, signed_out_at: null } });
    const grant = String(answer.body.data.grant);
    t.strictSame(
      await rolesOf(grant, await granted(root.access), grant),
      [0, 1, 0],
      'in the order of the request',
    );
    await db.updateTable('account').set({ role: 2 }).where('user_id', '=', person.userId).execute();
    t.strictSame(await rolesOf(grant), [2]);
    await db
      .updateTable('account')
      .set({ disabled_at: new Date(clock.now) })
      .where('user_id', '=', person.userId)
      .execute();
    t.strictSame(await rolesOf(grant), [null]);
  });

  t.test('a grant ends with the next sign-out everywhere, independent of clocks', async (t) => {
    const person = await newPerson(app);
    const before = await granted(person.access);
    clock.now -= 60_000;
    t.equal((await ask(app, 'POST /user/session/sign_out_others', { bearer: person.access })).status, 200);
    const signedOutAt = clock.now;
    clock.now += 60_000;
    const after = await issue(person.access);
    t.equal(after.body.data.signed_out_at, signedOutAt);
    t.strictSame(await rolesOf(before, String(after.body.data.grant)), [null, 0]);
  });

  t.test('a grant is issued to valid sessions only', async (t) => {
    const person = await newPerson(app);
    t.hasStrict(await issue(), { status: 401, body: { code: 'UNAUTHENTICATED' } });
    t.hasStrict(await issue(person.refresh), { status: 401, body: { code: 'TOKEN_INVALID' } });
    await ask(app, 'POST /user/logout', { bearer: person.refresh, body: {} });
    t.hasStrict(await issue(person.access), { status: 401, body: { code: 'TOKEN_INVALID' } });
  });

  t.test('an invalid grant returns no role', async (t) => {
    const person = await newPerson(app);
    const grant = await granted(person.access);
    const content = JSON.stringify({ user_id: person.userId, signed_out_at: null });
    t.strictSame(
      await rolesOf(
        'x',
        `${grant}A`,
        grant.slice(0, -2),
        String(person.userId),
        person.access.slice(0, 400),
        ENCRYPTOR.encrypt(content, 'second factor'),
        ENCRYPTOR.encrypt('{}', 'publish grant'),
      ),
      [null, null, null, null, null, null, null],
    );
    for (const grant_list of [[], ['x'.repeat(401)], Array(101).fill('x'), 'x', [1], undefined]) {
      const refused = await ask(app, CHECK, { body: { grant_list } });
      t.hasStrict(refused, { status: 400, body: { code: 'VALIDATION_FAILED' } });
    }
    t.notOk(logged().includes(grant), 'no grant in the log');
  });
});
