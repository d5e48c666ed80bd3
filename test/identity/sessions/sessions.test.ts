import { decodeJwt } from 'jose';
import t from 'tap';
import { clientLabel } from '../../../server/identity/sessions/sessions.ts';
import { ask, EXCHANGE, newPerson, renewTokens, signUp, testIdentity } from '../../support/identity.ts';
import { startStub, stubAnswer } from '../../support/stub-upstream.ts';

t.test('sessions', async (t) => {
  const { app, db, clock } = await testIdentity(t);
  const DAY = 24 * 60 * 60 * 1000;

  /** Every call with a bearer token, the required kind, and the status of success. */
  const CALLS = [
    { call: 'GET /user/valid', bearer: 'refresh', status: 200 },
    { call: 'GET /user/userinfo', bearer: 'access', status: 200 },
    { call: 'GET /user/login/code', bearer: 'access', status: 200 },
    { call: 'POST /user/reset_token', bearer: 'access', body: { e_id: 1 }, status: 403 },
    { call: 'POST /3rd-party/bind', bearer: 'access', body: { id: 'x' }, status: 403 },
    { call: 'POST /3rd-party/bind/read', bearer: 'access', body: { id: 'x' }, status: 403 },
    { call: 'POST /3rd-party/bind/begin', bearer: 'access', body: { redirect_uri: 'x' }, status: 400 },
    { call: 'GET /config/private/standard/1', bearer: 'access', status: 200 },
    { call: 'POST /user/logout', bearer: 'refresh', status: 200 },
  ] as const;

  t.test('each call accepts its own kind of bearer token only', async (t) => {
    const tokens = await newPerson(app);
    const stranger = await newPerson(app);
    const [head, payload, signature = ''] = tokens.access.split('.');
    const flipped = `${head}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const unsigned = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`;
    for (const wanted of CALLS) {
      const body = 'body' in wanted ? wanted.body : undefined;
      const other = wanted.bearer === 'access' ? tokens.refresh : tokens.access;
      for (const bearer of [other, 'nonsense', flipped, unsigned, `${head}.${payload}.${'A'.repeat(86)}`]) {
        const refused = await ask(app, wanted.call, { bearer, body });
        t.equal(refused.status, 401, `${wanted.call} ${bearer.slice(0, 12)}`);
        t.strictSame(refused.body, { code: 'TOKEN_INVALID', message: 'The token is not valid.' });
        t.equal(refused.headers['www-authenticate'], 'Bearer error="invalid_token"');
      }
      const anonymous = await ask(app, wanted.call, { body });
      t.equal(anonymous.status, 401, wanted.call);
      t.equal(anonymous.body.code, 'UNAUTHENTICATED');
      t.equal(anonymous.headers['www-authenticate'], 'Bearer');
      for (const authorization of ['Bearer a b', `Bearer ${'a'.repeat(9000)}`]) {
        const odd = await ask(app, wanted.call, { body, headers: { authorization } });
        t.equal(odd.body.code, 'TOKEN_INVALID', authorization.slice(0, 12));
      }
      const right = await ask(app, wanted.call, { bearer: tokens[wanted.bearer], body });
      t.equal(right.status, wanted.status, wanted.call);
    }
    t.equal(
      (await ask(app, 'GET /user/valid', { bearer: stranger.refresh })).status,
      200,
      'other sessions are unchanged',
    );
  });

  t.test('user info contains no tokens', async (t) => {
    const tokens = await newPerson(app);
    const { body: valid } = await ask(app, 'GET /user/valid', { bearer: tokens.refresh });
    const { body: info } = await ask(app, 'GET /user/userinfo', { bearer: tokens.access });
    t.strictSame(Object.keys(valid.data), ['info']);
    t.strictSame(valid.data.info, info.data);
    t.equal(info.data.user_id, tokens.userId);
    t.notMatch(JSON.stringify([valid, info]), /token|password/);
  });

  t.test('a refresh replaces both tokens', async (t) => {
    const tokens = await newPerson(app);
    clock.now += 14 * 60 * 1000;
    const first = await renewTokens(app, tokens.refresh);
    t.match(first.body.data, {
      access_token: String,
      refresh_token: /^[\w-]{43}\.[\w-]{43}$/,
      refresh_expires_in: 30 * 24 * 60 * 60 - 14 * 60,
    });
    t.equal(Object.keys(first.body.data).length, 3);
    const before = decodeJwt(tokens.access);
    const after = decodeJwt(String(first.body.data.access_token));
    t.match(after, { sub: before.sub, sid: before.sid, iat: Math.floor(clock.now / 1000) });
    t.not(after.jti, before.jti);
    const second = await renewTokens(app, String(first.body.data.refresh_token));
    t.equal(second.status, 200);
    t.not(second.body.data.refresh_token, first.body.data.refresh_token);
    clock.now += 2 * 60 * 1000;
    t.equal((await ask(app, 'GET /user/userinfo', { bearer: tokens.access })).status, 401, 'ran out');
    t.equal(
      (await ask(app, 'GET /user/userinfo', { bearer: String(first.body.data.access_token) })).status,
      200,
    );
  });

  t.test('a refresh needs the form of RFC 6749', async (t) => {
    const { refresh: token } = await newPerson(app);
    const FORM = 'application/x-www-form-urlencoded';
    for (const [type, body, status, code] of [
      [FORM, '', 400, 'VALIDATION_FAILED'],
      [FORM, `grant_type=password&refresh_token=${token}`, 400, 'VALIDATION_FAILED'],
      [FORM, 'grant_type=refresh_token', 400, 'VALIDATION_FAILED'],
      [FORM, 'grant_type=refresh_token&refresh_token=nonsense', 401, 'TOKEN_INVALID'],
      ['application/json', JSON.stringify({ refresh_token: token }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ] as const) {
      const answer = await ask(app, 'POST /user/refresh_token', { body, headers: { 'content-type': type } });
      t.equal(answer.status, status, body.slice(0, 40));
      t.equal(answer.body.code, code, body.slice(0, 40));
    }
  });

  t.test('a role changes with the next refresh', async (t) => {
    const tokens = await newPerson(app);
    t.equal(decodeJwt(tokens.access).role, 0);
    await db.updateTable('account').set({ role: 2 }).where('user_id', '=', tokens.userId).execute();
    const { body } = await renewTokens(app, tokens.refresh);
    t.equal(decodeJwt(String(body.data.access_token)).role, 2);
  });

  t.test('a session ends after 30 days, with its last access token', async (t) => {
    const tokens = await newPerson(app);
    clock.now += 30 * DAY - 60_000;
    const { status, body } = await renewTokens(app, tokens.refresh);
    t.equal(status, 200);
    const end = Math.floor((clock.now + 60_000) / 1000);
    t.equal(decodeJwt(String(body.data.access_token)).exp, end);
    clock.now += 60_000;
    for (const call of ['GET /user/valid', 'POST /user/logout']) {
      t.equal((await ask(app, call, { bearer: tokens.refresh })).body.code, 'TOKEN_INVALID', call);
    }
    t.equal((await renewTokens(app, String(body.data.refresh_token))).body.code, 'TOKEN_INVALID');
  });

  t.test('sign-out ends the whole session, and all its tokens are rejected afterwards', async (t) => {
    const tokens = await newPerson(app);
    const out = await ask(app, 'POST /user/logout', { bearer: tokens.refresh });
    t.equal(out.status, 200);
    t.strictSame(out.body, { code: 0, message: 'ok', data: {} });
    const refused = await renewTokens(app, tokens.refresh);
    t.equal(refused.status, 401);
    t.equal(refused.body.code, 'TOKEN_INVALID');
    for (const [call, bearer] of [
      ['GET /user/valid', tokens.refresh],
      ['POST /user/logout', tokens.refresh],
      ['GET /user/userinfo', tokens.access],
      ['GET /user/login/code', tokens.access],
    ] as const) {
      const answer = await ask(app, call, { bearer });
      t.equal(answer.status, 401, call);
      t.equal(answer.body.code, 'TOKEN_INVALID');
    }
  });

  t.test('sign-out accepts every form of an empty body', async (t) => {
    for (const request of [
      {},
      { body: '' },
      { body: {} },
      { headers: { 'content-type': 'application/json; charset=utf-8' } },
    ]) {
      const tokens = await newPerson(app);
      const bearer = tokens.refresh;
      t.equal(
        (await ask(app, 'POST /user/logout', { ...request, bearer })).status,
        200,
        JSON.stringify(request),
      );
    }
  });
});

t.test('own sessions', async (t) => {
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

  t.test('the gateway is told of every ended session, though it fails at some', async (t) => {
    const person = await newPerson(app);
    const others: string[] = [];
    for (let n = 0; n < 12; n += 1) others.push((await beside(person.access)).access);
    const told: string[] = [];
    gateway.on(LOGOUT, ({ body }) => {
      const token = new URLSearchParams(body.toString()).get('logout_token') ?? '';
      told.push(String(decodeJwt(token).sid));
      return told.length % 2 ? stubAnswer(500, {}) : {};
    });
    t.equal((await ask(app, SIGN_OUT_OTHERS, { bearer: person.access })).status, 200);
    t.strictSame(told.sort(), others.map(sidOf).sort());
    gateway.on(LOGOUT, () => ({}));
    gateway.requests.length = 0;
  });
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
    const { body } = await renewTokens(app, me.refresh);
    t.equal(await active(), 0);
    clock.now += 1000;
    await ask(app, 'GET /user/valid', { bearer: String(body.data.refresh_token) });
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
    t.strictSame(
      loggedOutSids().slice(logoutsBefore).sort(),
      others.map(({ access }) => sidOf(access)).sort(),
    );
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
    t.equal(gateway.seen(LOGOUT).length, logoutsBefore + 3, 'each is told');
    t.strictSame(await Promise.all(others.map(({ access }) => statusOf(access))), [401, 401, 401]);
  });

  t.test('ended sessions are not listed', async (t) => {
    const { code } = await signUp(app);
    const { body } = await ask(app, `${EXCHANGE}${code}`);
    const other = await beside(String(body.data.access_token));
    clock.now += 30 * 24 * 60 * 60 * 1000 - 60_000;
    const { body: renewed } = await renewTokens(app, other.refresh);
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
});

t.test('reused token', async (t) => {
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
    for (const answer of [
      await renewTokens(app, person.refresh),
      await ask(app, 'GET /user/valid', { bearer: person.refresh }),
      await ask(app, 'POST /user/logout', { bearer: person.refresh }),
    ]) {
      t.equal(answer.status, 401);
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
      t.equal((await renewTokens(app, person.refresh)).status, 401);
      t.equal(events(from).length, 1);
      clock.now += 2 * 24 * 60 * 60 * 1000;
      t.equal((await renewTokens(app, person.refresh)).status, 401);
      t.equal(events(from).length, 1);
    },
  );

  t.test(
    'a replaced token works for another half minute, then its use ends the session at the gateway too',
    async (t) => {
      const person = await withReplacedToken();
      const from = logged().length;
      const logoutsBefore = gateway.seen(LOGOUT).length;
      clock.now += 29_999;
      t.equal((await ask(app, 'GET /user/valid', { bearer: person.refresh })).status, 200, 'in flight');
      t.strictSame(events(from), []);
      clock.now += 1;
      const answers = await Promise.all(Array.from({ length: 5 }, () => renewTokens(app, person.refresh)));
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

  const renewed = async (token: string) => {
    const { status, body } = await renewTokens(app, token);
    t.equal(status, 200);
    return { access: String(body.data.access_token), refresh: String(body.data.refresh_token) };
  };

  t.test('a lost answer is repeated: the same token gets the same successor for half a minute', async (t) => {
    const person = await newPerson(app);
    const from = logged().length;
    const first = await renewed(person.refresh);
    clock.now += 29_999;
    const again = await renewed(person.refresh);
    t.equal(again.refresh, first.refresh);
    t.equal((await ask(app, 'GET /user/valid', { bearer: person.refresh })).status, 200, 'in flight');
    const second = await renewed(first.refresh);
    t.equal((await renewed(first.refresh)).refresh, second.refresh, 'after more than one refresh too');
    t.not(second.refresh, first.refresh);
    t.strictSame(events(from), []);
  });

  t.test('processes that refresh at the same time get one successor', async (t) => {
    const person = await newPerson(app);
    const answers = await Promise.all(Array.from({ length: 8 }, () => renewed(person.refresh)));
    const successors = new Set(answers.map((tokens) => tokens.refresh));
    t.equal(successors.size, 1);
    clock.now += 60_000;
    const [successor = ''] = successors;
    t.equal((await renewTokens(app, successor)).status, 200, 'which goes on');
  });

  for (const [title, tokenOf] of [
    ['the first token', async (first: string) => first],
    ['the one before the latest', async (first: string) => (await renewed(first)).refresh],
  ] as const) {
    t.test(`after the grace period a use of ${title} ends the session with all its tokens`, async (t) => {
      const person = await newPerson(app);
      const stolen = await tokenOf(person.refresh);
      const latest = await renewed(stolen);
      const from = logged().length;
      const logoutsBefore = gateway.seen(LOGOUT).length;
      clock.now += 30_000;
      const answers = await Promise.all(Array.from({ length: 5 }, () => renewTokens(app, stolen)));
      t.strictSame(new Set(answers.map(({ status }) => status)), new Set([401]));
      const { sid } = decodeJwt(person.access);
      const [event, ...more] = events(from);
      t.hasStrict(event, { level: 'warn', reason: 'replaced', user_id: person.userId, sid });
      t.strictSame(more, []);
      t.equal(gateway.seen(LOGOUT).length, logoutsBefore + 1);
      t.equal((await renewTokens(app, latest.refresh)).status, 401);
      t.equal((await ask(app, 'GET /user/valid', { bearer: latest.refresh })).status, 401);
      t.equal((await ask(app, 'GET /user/userinfo', { bearer: latest.access })).status, 401);
      t.notOk(logged().includes(stolen));
    });
  }

  t.test('a token two steps back is a reuse even within the grace period', async (t) => {
    const person = await newPerson(app);
    const { refresh: latest } = await renewed((await renewed(person.refresh)).refresh);
    t.equal((await renewTokens(app, person.refresh)).status, 401);
    t.equal((await renewTokens(app, latest)).status, 401);
  });

  t.test('so is the beginning of a token with an invented rest', async (t) => {
    const person = await newPerson(app);
    const { refresh: latest } = await renewed(person.refresh);
    t.equal((await renewTokens(app, `${person.refresh}.${'A'.repeat(43)}`)).status, 401);
    t.equal((await renewTokens(app, latest)).status, 401);
  });

  t.test('the database has neither the token nor its successor', async (t) => {
    const person = await newPerson(app);
    const { refresh: latest } = await renewed(person.refresh);
    const rows = JSON.stringify(await db.selectFrom('refresh_token').selectAll().execute());
    for (const part of latest.split('.')) {
      t.notOk(rows.includes(part));
      t.notOk(rows.includes(JSON.stringify(Buffer.from(part, 'base64url'))));
    }
  });

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
});

t.test('client label', async (t) => {
  const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
  const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
  const IPHONE =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9)';
  const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  const CHROME = `${KIT} Chrome/140.0.0.0 Safari/537.36`;

  const KNOWN: readonly [agent: string, browser: string, system: string][] = [
    [`${WINDOWS} ${CHROME}`, 'Chrome', 'Windows'],
    [`${WINDOWS} ${CHROME} Edg/140.0.0.0`, 'Edge', 'Windows'],
    [`${WINDOWS} ${CHROME} OPR/121.0.0.0`, 'Opera', 'Windows'],
    [`${WINDOWS} ${KIT} Chrome/138.0.0.0 YaBrowser/25.8 Safari/537.36`, 'Yandex Browser', 'Windows'],
    [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`, 'Safari', 'macOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0', 'Firefox', 'Linux'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`, 'Chrome', 'ChromeOS'],
    [`${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari', 'iPhone'],
    [`${IPHONE} CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome', 'iPhone'],
    [`${IPHONE} Mobile/15E148 MicroMessenger/8.0.60 NetType/WIFI Language/zh_CN`, 'WeChat', 'iPhone'],
    [`${ANDROID} ${KIT} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
    [
      `${ANDROID} ${KIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet',
      'Android',
    ],
    [`${WINDOWS} ${CHROME} wxwork/4.1.36 MicroMessenger/7.0.1`, 'WeCom', 'Windows'],
    ['', '', ''],
    ['curl/8.14', '', ''],
    [`${'x'.repeat(600)} Chrome/1 Windows`, '', ''],
    ['<b>Chrome</b> Windowsill', '', ''],
  ];

  for (const [agent, browser, system] of KNOWN) {
    t.test(`${agent.slice(-60)} is ${browser} on ${system}`, async (t) => {
      t.strictSame(clientLabel(agent), { browser, system });
    });
  }

  t.test('a missing header returns empty values', async (t) => {
    t.strictSame(clientLabel(undefined), { browser: '', system: '' });
  });
});
