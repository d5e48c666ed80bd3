import { decodeJwt } from 'jose';
import t from 'tap';
import { ask, newPerson, testIdentity } from '../../support/identity.ts';

const { app, db, clock } = await testIdentity(t);
const DAY = 24 * 60 * 60 * 1000;

/** Every call with a bearer token, the required kind, and the status of success. */
const CALLS = [
  { call: 'GET /user/valid', bearer: 'refresh', status: 200 },
  { call: 'POST /user/refresh_token', bearer: 'refresh', status: 200 },
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
    for (const authorization of ['', 'Basic YTpi', 'Bearer', 'Bearer a b', `Bearer ${'a'.repeat(9000)}`]) {
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

t.test('a refresh returns a new access token and keeps the refresh token', async (t) => {
  const tokens = await newPerson(app);
  clock.now += 14 * 60 * 1000;
  const first = await ask(app, 'POST /user/refresh_token', { bearer: tokens.refresh });
  t.strictSame(Object.keys(first.body.data), ['access_token']);
  const before = decodeJwt(tokens.access);
  const after = decodeJwt(String(first.body.data.access_token));
  t.match(after, { sub: before.sub, sid: before.sid, iat: Math.floor(clock.now / 1000) });
  t.not(after.jti, before.jti);
  t.equal((await ask(app, 'POST /user/refresh_token', { bearer: tokens.refresh })).status, 200);
  clock.now += 2 * 60 * 1000;
  t.equal((await ask(app, 'GET /user/userinfo', { bearer: tokens.access })).status, 401, 'ran out');
  t.equal(
    (await ask(app, 'GET /user/userinfo', { bearer: String(first.body.data.access_token) })).status,
    200,
  );
});

t.test('a role changes with the next refresh', async (t) => {
  const tokens = await newPerson(app);
  t.equal(decodeJwt(tokens.access).role, 0);
  await db.updateTable('account').set({ role: 2 }).where('user_id', '=', tokens.userId).execute();
  const { body } = await ask(app, 'POST /user/refresh_token', { bearer: tokens.refresh });
  t.equal(decodeJwt(String(body.data.access_token)).role, 2);
});

t.test('a session ends after 30 days, with its last access token', async (t) => {
  const tokens = await newPerson(app);
  clock.now += 30 * DAY - 60_000;
  const { status, body } = await ask(app, 'POST /user/refresh_token', { bearer: tokens.refresh });
  t.equal(status, 200);
  const end = Math.floor((clock.now + 60_000) / 1000);
  t.equal(decodeJwt(String(body.data.access_token)).exp, end);
  clock.now += 60_000;
  for (const call of ['POST /user/refresh_token', 'GET /user/valid', 'POST /user/logout']) {
    t.equal((await ask(app, call, { bearer: tokens.refresh })).body.code, 'TOKEN_INVALID', call);
  }
});

t.test('sign-out ends the whole session, and all its tokens are rejected afterwards', async (t) => {
  const tokens = await newPerson(app);
  const out = await ask(app, 'POST /user/logout', { bearer: tokens.refresh });
  t.equal(out.status, 200);
  t.strictSame(out.body, { code: 0, message: 'ok', data: {} });
  for (const [call, bearer] of [
    ['POST /user/refresh_token', tokens.refresh],
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

t.test('sign-out and refresh accept every form of an empty body', async (t) => {
  for (const request of [
    {},
    { body: '' },
    { body: {} },
    { headers: { 'content-type': 'application/json; charset=utf-8' } },
  ]) {
    const tokens = await newPerson(app);
    const bearer = tokens.refresh;
    t.equal(
      (await ask(app, 'POST /user/refresh_token', { ...request, bearer })).status,
      200,
      JSON.stringify(request),
    );
    t.equal(
      (await ask(app, 'POST /user/logout', { ...request, bearer })).status,
      200,
      JSON.stringify(request),
    );
  }
});
