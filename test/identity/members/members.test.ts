import { createLocalJWKSet, jwtVerify } from 'jose';
import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import type { Route } from '../../../shared/route.ts';
import { LOGOUT_EVENT } from '../../../shared/user-service.ts';
import {
  ADMIN,
  ask,
  CALLBACK,
  codeIn,
  EXCHANGE,
  exchange,
  newPerson,
  renewTokens,
  signUp,
  testIdentity,
} from '../../support/identity.ts';
import { startStub, stubAnswer } from '../../support/stub-upstream.ts';

const LIST = 'GET /user/member/list';
const ROLE = 'PUT /user/member/role';
const DISABLE = 'PUT /user/member/disabled';
const SIGN_OUT = 'POST /user/member/sign_out';
const CHANGES = 'GET /user/member/change/list';
const LOGOUT = 'POST /api/auth/backchannel-logout';

const gateway = await startStub(t);
gateway.on(LOGOUT, () => ({}));
const identity = await testIdentity(t, { gatewayUrl: gateway.url });
const { app, db, clock } = identity;

async function signIn(account: string, password: string) {
  const body = { account, password, redirect_uri: CALLBACK };
  return exchange(app, codeIn(await ask(app, 'POST /user/page/sign_in', { body })));
}

const root = await signIn(ADMIN.email, ADMIN.password);
const asRoot = (call: string, body?: unknown) => ask(app, call, { bearer: root.access, body });
/** A change with the proof that each needs. */
const prove = (call: string, body: object = {}) => asRoot(call, { ...body, password: ADMIN.password });
const change = (user_id: number, role: number) => prove(ROLE, { user_id, role });

type MemberRow = Record<string, unknown>;
function membersOf(body: { data: Record<string, unknown> }): MemberRow[] {
  const list = body.data.member_list;
  return Array.isArray(list) ? list : [];
}

/** A new user who is a super administrator. */
async function newSuperAdmin() {
  const { password, code } = await signUp(app);
  const person = { ...(await exchange(app, code)), password };
  await change(person.userId, 1);
  return person;
}
const roleOf = async (userId: number) =>
  (await db.selectFrom('account').select('role').where('user_id', '=', userId).executeTakeFirstOrThrow())
    .role;
const isAlive = async (refresh: string) => (await renewTokens(app, refresh)).status === 200;
/** The tests sign up and in more often than the rate limit of one address allows. */
t.afterEach(async () => {
  await db.deleteFrom('attempt').execute();
  await db.updateTable('account').set({ role: 0 }).where('user_id', '<>', root.userId).execute();
});

const logoutCount = () => gateway.seen(LOGOUT).length;

t.test('accounts are found by any part of name or address, in any case', async (t) => {
  const anna = await exchange(
    app,
    (await signUp(app, { nick_name: 'Анна_Каренина%', email: 'Anna.K@Example.org' })).code,
  );
  for (const keyword of ['анна', 'КАРЕНИНА%', 'na_К', 'anna.k@', 'EXAMPLE.ORG', ' Анна_ ']) {
    const { body } = await asRoot(`${LIST}?keyword=${encodeURIComponent(keyword)}`);
    const isThere = membersOf(body).some(({ user_id }) => user_id === anna.userId);
    t.equal(isThere, keyword !== 'na_К', keyword);
  }
  const { body } = await asRoot(`${LIST}?keyword=${encodeURIComponent('Анна')}`);
  t.hasStrict(body.data, { total: 1, next_cursor: null });
  t.strictSame(membersOf(body), [
    {
      user_id: anna.userId,
      nick_name: 'Анна_Каренина%',
      email: 'Anna.K@Example.org',
      role: 0,
      is_disabled: false,
      has_second_factor: false,
      session_count: 1,
      created_at: new Date(clock.now).toISOString(),
      last_sign_in_at: new Date(clock.now).toISOString(),
    },
  ]);
  for (const keyword of ['%25', '%5C', "'"]) {
    const found = await asRoot(`${LIST}?keyword=${keyword}`);
    t.equal(found.status, 200, keyword);
    t.equal(found.body.data.total, keyword === '%25' ? 1 : 0, keyword);
  }
});

t.test('the list is paged, newest first, and filtered by role', async (t) => {
  for (let n = 0; n < 4; n += 1) await newPerson(app);
  const total = Number((await asRoot(LIST)).body.data.total);
  const seen: unknown[] = [];
  let cursor: unknown = '';
  while (cursor !== null) {
    const { body } = await asRoot(`${LIST}?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
    t.equal(body.data.total, total);
    seen.push(...membersOf(body).map(({ user_id }) => user_id));
    cursor = body.data.next_cursor;
  }
  t.equal(seen.length, total);
  t.strictSame(
    seen,
    seen.toSorted((a, b) => Number(b) - Number(a)),
  );
  const { body } = await asRoot(`${LIST}?role=1`);
  t.strictSame(
    membersOf(body).map(({ user_id }) => user_id),
    [root.userId],
  );
});

t.test('a role is granted and revoked; former administrators are signed out', async (t) => {
  const person = await newPerson(app);
  const before = logoutCount();
  t.hasStrict((await change(person.userId, 2)).body.data, {
    user_id: person.userId,
    role: 2,
    session_count: 1,
  });
  t.equal(logoutCount(), before, 'a role that is gained ends nothing');
  t.ok(await isAlive(person.refresh));
  t.hasStrict((await change(person.userId, 0)).body.data, { role: 0, session_count: 0 });
  t.equal(logoutCount(), before + 1);
  t.notOk(await isAlive(person.refresh));
  t.equal((await change(person.userId, 0)).status, 200, 'the same again is harmless');
  t.equal(logoutCount(), before + 1);
});

const SECOND_FACTOR = 'POST /user/member/second_factor/remove';
const PASSWORD_LINK = 'POST /user/member/password_link';
const INVITE = 'POST /user/member/invitation';
/** Every call that changes an existing account, from the contract: a new one needs its body here. */
const WRITES = Object.values<Route>(contract)
  .filter(({ method, path }) => path.startsWith('/user/member/') && method !== 'GET')
  .map(({ method, path }) => `${method} ${path}`)
  .filter((call) => call !== INVITE);
const BODIES: Readonly<Record<string, object>> = {
  [ROLE]: { role: 2 },
  [DISABLE]: { is_disabled: true },
  [SIGN_OUT]: {},
  [SECOND_FACTOR]: {},
  [PASSWORD_LINK]: {},
};

t.test('a super administrator who becomes an administrator is signed out too', async (t) => {
  const person = await newSuperAdmin();
  const before = logoutCount();
  t.hasStrict((await change(person.userId, 2)).body.data, { role: 2, session_count: 0 });
  t.equal(logoutCount(), before + 1);
  t.notOk(await isAlive(person.refresh));
  t.equal((await ask(app, LIST, { bearer: person.access })).status, 401);
});

t.test('every change requires reauthentication, right after a sign-in too', async (t) => {
  const list = await asRoot(LIST);
  t.equal(list.body.data.proof, 'password', 'the page learns what to ask for');
  t.strictSame(WRITES.toSorted(), Object.keys(BODIES).toSorted());
  for (const role of [0, 1]) {
    const person = role === 1 ? await newSuperAdmin() : await newPerson(app);
    const before = await db.selectFrom('account').selectAll().where('user_id', '=', person.userId).execute();
    for (const call of WRITES) {
      const body = { user_id: person.userId, ...BODIES[call] };
      const missing = await asRoot(call, body);
      t.hasStrict([missing.status, missing.body.code], [403, 'REAUTHENTICATION_REQUIRED'], call);
      const other = await asRoot(call, { ...body, code: '123456' });
      t.hasStrict([other.status, other.body.code], [403, 'REAUTHENTICATION_REQUIRED'], call);
      const wrong = await asRoot(call, { ...body, password: 'not this one' });
      t.hasStrict(
        [wrong.status, wrong.body.code, wrong.body.errors],
        [422, 'PASSWORD_WRONG', [{ pointer: '/password', message: 'is wrong' }]],
        call,
      );
      await db.deleteFrom('attempt').execute();
    }
    t.strictSame(
      await db.selectFrom('account').selectAll().where('user_id', '=', person.userId).execute(),
      before,
    );
    t.ok(await isAlive(person.refresh));
    const links = db.selectFrom('password_link').selectAll().where('user_id', '=', person.userId);
    t.strictSame(await links.execute(), []);
    for (const call of WRITES.filter((call) => call !== DISABLE)) {
      t.equal((await prove(call, { user_id: person.userId, ...BODIES[call] })).status, 200, call);
    }
    t.equal((await prove(DISABLE, { user_id: person.userId, is_disabled: true })).status, 200);
  }
});

t.test('an invitation makes an account whose user chooses the password with a link', async (t) => {
  const invited = { email: ' Grace@Example.org ', nick_name: 'Grace' };
  for (const typed of [{}, { code: '123456' }]) {
    const refused = await asRoot(INVITE, { ...invited, ...typed });
    t.hasStrict([refused.status, refused.body.code], [403, 'REAUTHENTICATION_REQUIRED']);
  }
  const invalid = await prove(INVITE, { email: 'grace', nick_name: 'Grace' });
  t.hasStrict(
    [invalid.status, invalid.body.errors],
    [400, [{ pointer: '/email', message: 'must be an e-mail address' }]],
  );
  t.hasStrict((await asRoot(LIST)).body.data, { sign_up: 'open' });
  const { status, body } = await prove(INVITE, invited);
  t.equal(status, 200);
  const { link, expires_at: expiresAt, member } = body.data;
  t.match(link, /^https:\/\/square\.example\/user\/login\/reset#[\w-]{43}$/);
  t.equal(expiresAt, new Date(clock.now + 7 * 86_400_000).toISOString());
  t.hasStrict(member, { email: 'Grace@Example.org', nick_name: 'Grace', role: 0, last_sign_in_at: null });
  const again = await prove(INVITE, invited);
  t.hasStrict([again.status, again.body.code], [409, 'ACCOUNT_EXISTS']);
  const password = 'copper-lantern-otter-42';
  const token = String(link).split('#')[1];
  t.equal((await ask(app, 'POST /user/page/password', { body: { token, password } })).status, 200);
  clock.now += 1000;
  t.ok((await signIn('grace@example.org', password)).access);
  t.hasStrict((await asRoot(CHANGES)).body.data, {
    entry_list: [{ action: 'member.invite', target_name: 'Grace' }],
  });
});

t.test('where sign-up is closed, nobody is invited either', async (t) => {
  const closed = await testIdentity(t, { signUp: 'closed' });
  const typed = { account: ADMIN.email, password: ADMIN.password, redirect_uri: CALLBACK };
  const { access } = await exchange(
    closed.app,
    codeIn(await ask(closed.app, 'POST /user/page/sign_in', { body: typed })),
  );
  t.hasStrict((await ask(closed.app, LIST, { bearer: access })).body.data, { sign_up: 'closed' });
  const body = { email: 'grace@example.org', nick_name: 'Grace', password: ADMIN.password };
  const refused = await ask(closed.app, INVITE, { bearer: access, body });
  t.hasStrict([refused.status, refused.body.code], [403, 'FORBIDDEN']);
});

t.test('nobody changes their own account as a member', async (t) => {
  await newSuperAdmin();
  const before = await db.selectFrom('account').selectAll().where('user_id', '=', root.userId).execute();
  for (const call of WRITES) {
    for (const ask of [asRoot, prove]) {
      const refused = await ask(call, { user_id: root.userId, ...BODIES[call] });
      t.hasStrict(
        [refused.status, refused.body],
        [
          403,
          {
            code: 'OWN_ACCOUNT',
            message: 'Another super administrator changes this account, not its owner.',
          },
        ],
        call,
      );
    }
  }
  t.strictSame(
    await db.selectFrom('account').selectAll().where('user_id', '=', root.userId).execute(),
    before,
  );
});

t.test('the current role of the account counts, not the one in the token', async (t) => {
  const other = await newSuperAdmin();
  const victim = await newPerson(app);
  const asOther = (call: string, body?: unknown) => ask(app, call, { bearer: other.access, body });
  t.equal((await asOther(LIST)).status, 200, 'a token of before the promotion');
  await db.updateTable('account').set({ role: 2 }).where('user_id', '=', other.userId).execute();
  for (const [call, body] of [
    [LIST, undefined],
    [CHANGES, undefined],
    [ROLE, { user_id: victim.userId, role: 1 }],
    [DISABLE, { user_id: victim.userId, is_disabled: true }],
    [SIGN_OUT, { user_id: victim.userId }],
  ] as const) {
    const refused = await asOther(call, body);
    t.hasStrict([refused.status, refused.body.code], [403, 'FORBIDDEN'], call);
  }
  t.equal(await roleOf(victim.userId), 0);
  t.ok(await isAlive(victim.refresh));
});

t.test(
  'disabling ends the sessions and blocks every sign-in until the account is enabled again',
  async (t) => {
    const typed = await signUp(app);
    const person = await exchange(app, typed.code);
    const unused = codeIn(
      await ask(app, 'POST /user/page/sign_in', {
        body: { account: typed.email, password: typed.password, redirect_uri: CALLBACK },
      }),
    );
    clock.now += 1000;
    const before = logoutCount();
    const disabled = await prove(DISABLE, { user_id: person.userId, is_disabled: true });
    t.hasStrict(disabled.body.data, { is_disabled: true, session_count: 0 });
    t.equal(logoutCount(), before + 1);
    t.notOk(await isAlive(person.refresh));
    t.equal((await ask(app, 'GET /user/userinfo', { bearer: person.access })).status, 401);
    const exchanged = await ask(app, `${EXCHANGE}${unused}`);
    t.hasStrict([exchanged.status, exchanged.body.code], [403, 'ACCOUNT_DISABLED']);
    const again = await ask(app, 'POST /user/page/sign_in', {
      body: { account: typed.email, password: typed.password, redirect_uri: CALLBACK },
    });
    t.hasStrict([again.status, again.body.code], [403, 'ACCOUNT_DISABLED']);

    t.hasStrict((await prove(DISABLE, { user_id: person.userId, is_disabled: false })).body.data, {
      is_disabled: false,
    });
    t.notOk(await isAlive(person.refresh), 'what was ended stays ended');
    clock.now += 1000;
    t.ok(await isAlive((await signIn(typed.email, typed.password)).refresh));
  },
);

t.test('signing out everywhere ends every session and invalidates pending codes', async (t) => {
  const typed = await signUp(app);
  const first = await exchange(app, typed.code);
  const second = await signIn(typed.email, typed.password);
  const unused = codeIn(
    await ask(app, 'POST /user/page/sign_in', {
      body: { account: typed.email, password: typed.password, redirect_uri: CALLBACK },
    }),
  );
  clock.now += 1000;
  gateway.requests.length = 0;
  t.hasStrict((await prove(SIGN_OUT, { user_id: first.userId })).body.data, { session_count: 0 });
  t.notOk(await isAlive(first.refresh));
  t.notOk(await isAlive(second.refresh));
  const refused = await ask(app, `${EXCHANGE}${unused}`);
  t.hasStrict([refused.status, refused.body.code], [400, 'CODE_INVALID']);
  clock.now += 1000;
  t.ok(await isAlive((await signIn(typed.email, typed.password)).refresh), 'a new sign-in works');

  const [seen] = gateway.seen(LOGOUT);
  t.equal(seen?.headers['content-type'], 'application/x-www-form-urlencoded;charset=UTF-8');
  const token = new URLSearchParams(seen?.body.toString()).get('logout_token') ?? '';
  const keys = createLocalJWKSet(await app.inject('/.well-known/jwks.json').then((reply) => reply.json()));
  const { payload } = await jwtVerify(token, keys, {
    typ: 'logout+jwt',
    issuer: 'plugin-square-identity',
    audience: 'plugin-square',
    currentDate: new Date(clock.now),
  });
  t.match(payload, { sub: String(first.userId), jti: /^[\da-f-]{36}$/, events: { [LOGOUT_EVENT]: {} } });
  t.notOk('nonce' in payload || 'sid' in payload);
});

t.test('an unreachable or refusing gateway makes no difference', async (t) => {
  gateway.on(LOGOUT, () => stubAnswer(400, { code: 'LOGOUT_TOKEN_INVALID' }));
  const first = await newPerson(app);
  t.equal((await prove(SIGN_OUT, { user_id: first.userId })).status, 200);
  t.match(identity.logged(), 'gateway rejected back-channel logout');
  await gateway.stop();
  const second = await newPerson(app);
  t.equal((await prove(SIGN_OUT, { user_id: second.userId })).status, 200);
  t.notOk(await isAlive(second.refresh));
  t.match(identity.logged(), 'back-channel logout failed');
  await gateway.resume();
  gateway.on(LOGOUT, () => ({}));
});

t.test('the last super administrator keeps role and account', async (t) => {
  const other = await newSuperAdmin();
  const leaves = (delete_at: Date | null) =>
    db.updateTable('account').set({ delete_at }).where('user_id', '=', root.userId).execute();
  await leaves(new Date(clock.now + 60_000));
  for (const [call, body] of [
    [ROLE, { user_id: other.userId, role: 2 }],
    [ROLE, { user_id: other.userId, role: 0 }],
    [DISABLE, { user_id: other.userId, is_disabled: true }],
  ] as const) {
    const refused = await prove(call, body);
    t.hasStrict(
      [refused.status, refused.body],
      [409, { code: 'LAST_SUPER_ADMIN', message: 'The last super administrator cannot be taken away.' }],
      'one who is leaving does not count',
    );
  }
  await leaves(null);
  t.equal((await change(other.userId, 0)).status, 200);
  t.equal(await roleOf(root.userId), 1);
});

t.test('two super administrators who remove each other concurrently: one stays', async (t) => {
  for (let round = 0; round < 8; round += 1) {
    const other = await newSuperAdmin();
    const first = await newSuperAdmin();
    await db.updateTable('account').set({ role: 2 }).where('user_id', '=', root.userId).execute();
    const answers = await Promise.all([
      ask(app, ROLE, {
        bearer: other.access,
        body: { user_id: first.userId, role: 2, password: other.password },
      }),
      ask(app, round % 2 ? DISABLE : ROLE, {
        bearer: first.access,
        body: { user_id: other.userId, is_disabled: true, role: 2, password: first.password },
      }),
    ]);
    const [done, refused] = answers.map(({ status }) => status).sort();
    t.equal(done, 200);
    t.ok(refused === 403 || refused === 401, `no right any more, or no session: ${refused}`);
    const left = db.selectFrom('account').select('user_id').where('role', '=', 1);
    const rows = await left.where('disabled_at', 'is', null).execute();
    t.equal(rows.length, 1);
    await db.updateTable('account').set({ role: 0 }).where('role', '=', 1).execute();
    await db.updateTable('account').set({ role: 1 }).where('user_id', '=', root.userId).execute();
  }
});

t.test('a pending sign-in leaves no valid session when its account is disabled', async (t) => {
  for (let round = 0; round < 8; round += 1) {
    const typed = await signUp(app);
    const [exchanged] = await Promise.all([
      ask(app, `${EXCHANGE}${typed.code}`),
      db
        .selectFrom('account')
        .select('user_id')
        .where('email', '=', typed.email)
        .executeTakeFirstOrThrow()
        .then(({ user_id }) => prove(DISABLE, { user_id, is_disabled: true })),
    ]);
    const alive = await db
      .selectFrom('session')
      .innerJoin('account', 'account.user_id', 'session.user_id')
      .select('sid')
      .where('email', '=', typed.email)
      .where('revoked_at', 'is', null)
      .execute();
    t.strictSame(alive, [], String(exchanged.status));
  }
});

t.test('every change is recorded with actor, account and action', async (t) => {
  await db.deleteFrom('member_change').execute();
  const person = await newPerson(app);
  await change(person.userId, 2);
  await change(person.userId, 2);
  await prove(DISABLE, { user_id: person.userId, is_disabled: true });
  await prove(DISABLE, { user_id: person.userId, is_disabled: false });
  await prove(SIGN_OUT, { user_id: person.userId });
  const { body } = await asRoot(CHANGES);
  const entry = {
    actor: { user_id: root.userId, nick_name: 'Admin' },
    target_kind: 'member',
    target_id: String(person.userId),
  };
  t.match(body.data, {
    total: 4,
    next_cursor: null,
    entry_list: [
      { ...entry, action: 'member.sign_out' },
      { ...entry, action: 'member.enable' },
      { ...entry, action: 'member.disable' },
      { ...entry, action: 'member.role', detail: { from: 0, to: 2 } },
    ],
  });
  const page = await asRoot(`${CHANGES}?limit=3`);
  const rest = await asRoot(`${CHANGES}?limit=3&cursor=${page.body.data.next_cursor}`);
  t.hasStrict(rest.body.data, { next_cursor: null, entry_list: [{ action: 'member.role' }] });
});

t.test('rejects invalid requests', async (t) => {
  const person = await newPerson(app);
  const { userId } = person;
  for (const [call, body, status, code] of [
    [ROLE, { user_id: 4711, role: 1 }, 404, 'NOT_FOUND'],
    [ROLE, { user_id: userId, role: 3 }, 400, 'VALIDATION_FAILED'],
    [ROLE, { user_id: userId, role: '1' }, 400, 'VALIDATION_FAILED'],
    [ROLE, { user_id: userId }, 400, 'VALIDATION_FAILED'],
    [ROLE, { user_id: 1e300, role: 0 }, 400, 'VALIDATION_FAILED'],
    [ROLE, undefined, 400, 'VALIDATION_FAILED'],
    [DISABLE, { user_id: 4711, is_disabled: true }, 404, 'NOT_FOUND'],
    [DISABLE, { user_id: userId, is_disabled: 1 }, 400, 'VALIDATION_FAILED'],
    [SIGN_OUT, { user_id: 0 }, 400, 'VALIDATION_FAILED'],
    [SIGN_OUT, {}, 400, 'VALIDATION_FAILED'],
    [`${LIST}?role=3`, undefined, 400, 'VALIDATION_FAILED'],
    [`${LIST}?limit=101`, undefined, 400, 'VALIDATION_FAILED'],
    [`${LIST}?cursor=abc`, undefined, 400, 'BAD_CURSOR'],
    [`${LIST}?cursor=MQ==`, undefined, 400, 'BAD_CURSOR'],
    [`${CHANGES}?cursor=%F0%9F%98%80`, undefined, 400, 'BAD_CURSOR'],
    [`${LIST}?keyword=${'x'.repeat(65)}`, undefined, 400, 'VALIDATION_FAILED'],
  ] as const) {
    const answer = await (typeof body === 'object' ? prove(call, body) : asRoot(call));
    t.hasStrict([answer.status, answer.body.code], [status, code], `${call} ${JSON.stringify(body)}`);
  }
  t.equal(await roleOf(userId), 0);
  t.equal(await roleOf(root.userId), 1);
  t.ok(await isAlive(root.refresh));
});
