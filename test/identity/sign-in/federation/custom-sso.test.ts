import { createServer } from 'node:http';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import t from 'tap';
import { applyAccountChanges } from '../../../../server/community/account/account.ts';
import { createIdentityClient } from '../../../../server/community/people/auth/owner-rights.ts';
import type { CustomSsoSettings } from '../../../../server/identity/sign-in/federation/settings-schema.ts';
import { testCommunity } from '../../../support/community.ts';
import {
  ask,
  CALLBACK,
  EXCHANGE,
  exchange,
  PUBLIC_URL,
  renewTokens,
  testIdentity,
} from '../../../support/identity.ts';
import { silentLog } from '../../../support/log.ts';
import { portOf } from '../../../support/port.ts';
import { COMMUNITY_TO_IDENTITY, GATEWAY_TO_IDENTITY } from '../../../support/service-keys.ts';

type Test = Parameters<typeof testIdentity>[0];

const MINUTES = 60;
const portal = await generateKeyPair('ES256');
const other = await generateKeyPair('ES256');
const BLOCK = {
  method: 'custom_sso',
  login_url: 'https://portal.example/hand-over?app=square',
  issuer: 'portal',
  audience: 'plugin-square',
} as const;

let tokens = 0;
type Change = { claims?: Record<string, unknown>; key?: CryptoKey; off?: number; alg?: string };

/** A token of the portal; `off`: clock skew in seconds. */
function token({ claims = {}, key = portal.privateKey, off = 0, alg = 'ES256' }: Change = {}) {
  const now = Math.floor(Date.now() / 1000) + off;
  tokens += 1;
  return new SignJWT({
    iss: 'portal',
    aud: 'plugin-square',
    sub: 'e-77',
    jti: `t-${tokens}`,
    iat: now,
    exp: now + 60,
    name: 'Ada',
    email: 'ada@corp.example',
    ...claims,
  })
    .setProtectedHeader({ alg, kid: 'portal' })
    .sign(key);
}

async function setUp(t: Test, change: Partial<CustomSsoSettings> = {}) {
  const settings: CustomSsoSettings = { ...BLOCK, ...change };
  const identity = await testIdentity(t, { methods: [settings] });
  const begin = async () => {
    const body = { source: 'custom-sso', redirect_uri: CALLBACK };
    return new URL(String((await ask(identity.app, 'POST /user/page/sso', { body })).body.data.go_to));
  };
  const back = async (query: Record<string, string>, { asForm = false } = {}) => {
    const sent = new URLSearchParams(query).toString();
    const answer = await identity.app.inject({
      method: asForm ? 'POST' : 'GET',
      url: `/user/sso/custom-sso/callback${asForm ? '' : `?${sent}`}`,
      headers: {
        authorization: GATEWAY_TO_IDENTITY,
        ...(asForm && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(asForm && { payload: sent }),
    });
    return new URL(String(answer.headers.location));
  };
  const handOver = async (change?: Change, options?: { asForm?: boolean }) => {
    const state = (await begin()).searchParams.get('state') ?? '';
    return back({ state, token: await token(change) }, options);
  };
  return { identity, app: identity.app, begin, back, handOver };
}

const pem = await exportSPKI(portal.publicKey);
const isRefused = (to: URL) => to.searchParams.get('sso_error') === 'SSO_REFUSED';

t.test('the portal signs a user in, by query or by form', async (t) => {
  const { app, begin, handOver } = await setUp(t, { public_key: pem });
  const address = await begin();
  t.equal(address.origin + address.pathname, 'https://portal.example/hand-over');
  t.equal(address.searchParams.get('app'), 'square');
  t.equal(address.searchParams.get('return_url'), `${PUBLIC_URL}/user/sso/custom-sso/callback`);
  const first = await exchange(app, (await handOver()).searchParams.get('code') ?? '');
  const again = await exchange(app, (await handOver({}, { asForm: true })).searchParams.get('code') ?? '');
  t.equal(first.userId, again.userId);
  const { body } = await ask(app, 'GET /user/userinfo', { bearer: again.access });
  t.hasStrict(body.data, { nick_name: 'Ada', email: 'ada@corp.example' });
});

t.test('a role that groups grant or revoke causes one notice', async (t) => {
  const { identity, app, handOver } = await setUp(t, { public_key: pem, roles: { ops: 'admin' } });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const now = () => identity.clock.now;
  const { db, pool } = await testCommunity(t, { now, identityUrl: address });
  const noticesAfter = async (groups: string[]) => {
    const to = await handOver({ claims: { groups } });
    const { userId } = await exchange(app, to.searchParams.get('code') ?? '');
    await applyAccountChanges({
      db,
      ask: createIdentityClient({ identityUrl: address, credential: COMMUNITY_TO_IDENTITY }),
      now,
      log: silentLog,
    });
    const { rows } = await pool.query('select kind, data from notice where user_id = $1 order by id', [
      userId,
    ]);
    return rows;
  };
  const isAdmin = { kind: 'role_changed', data: { role: 2 } };
  t.strictSame(await noticesAfter([]), [], 'users with the default role get no notice');
  t.strictSame(await noticesAfter(['OPS']), [isAdmin]);
  t.strictSame(await noticesAfter(['ops', 'lunch']), [isAdmin], 'the same role again is no news');
  t.strictSame(await noticesAfter(['lunch']), [isAdmin, { kind: 'role_changed', data: { role: 0 } }]);
});

t.test('whoever loses rights by their groups is signed out elsewhere; each change is recorded', async (t) => {
  const { identity, app, handOver } = await setUp(t, {
    public_key: pem,
    roles: { chiefs: 'super_admin', ops: 'admin' },
  });
  const codeWith = async (groups: string[]) =>
    (await handOver({ claims: { groups } })).searchParams.get('code') ?? '';
  const signInWith = async (groups: string[]) => exchange(app, await codeWith(groups));
  const isAlive = async ({ refresh }: { refresh: string }) =>
    (await renewTokens(app, refresh)).status === 200;
  const chief = await signInWith(['chiefs']);
  const second = await signInWith(['chiefs']);
  t.ok(await isAlive(chief), 'nothing was lost');
  const unused = await codeWith(['chiefs']);
  identity.clock.now += 1000;
  const admin = await signInWith(['ops']);
  t.strictSame([await isAlive(chief), await isAlive(second), await isAlive(admin)], [false, false, true]);
  t.equal((await ask(app, 'GET /user/member/list', { bearer: chief.access })).status, 401);
  const late = await ask(app, EXCHANGE + unused);
  t.strictSame([late.status, late.body.code], [400, 'CODE_INVALID'], 'a code from before');
  const user = await signInWith([]);
  t.strictSame([await isAlive(admin), await isAlive(user)], [false, true]);
  const again = await signInWith(['chiefs']);
  t.strictSame(
    [await isAlive(user), await isAlive(again)],
    [true, true],
    'rights that are gained end nothing',
  );
  const auditLog = await ask(app, 'GET /user/member/change/list', { bearer: again.access });
  const of = (from: number, to: number) => ({
    action: 'member.role_by_groups',
    actor: { user_id: chief.userId },
    target_id: String(chief.userId),
    detail: { from, to, source: 'custom-sso' },
  });
  t.match(auditLog.body.data, { total: 4, entry_list: [of(0, 1), of(2, 0), of(1, 2), of(0, 1)] });
  t.match(identity.logged(), 'back-channel logout failed', 'the gateway is told');
});

t.test('groups never take the role of the last super administrator', async (t) => {
  const { identity, app, handOver } = await setUp(t, {
    public_key: pem,
    roles: { chiefs: 'super_admin', ops: 'admin' },
  });
  const signInWith = async (groups: string[]) =>
    exchange(app, (await handOver({ claims: { groups } })).searchParams.get('code') ?? '');
  const { db, logged } = identity;
  const chief = await signInWith(['chiefs']);
  const account = () =>
    db
      .selectFrom('account')
      .select(['role', 'signed_out_at'])
      .where('user_id', '=', chief.userId)
      .executeTakeFirstOrThrow();
  const entries = async () => (await db.selectFrom('member_change').select('detail').execute()).length;
  const others = db.updateTable('account').where('user_id', '<>', chief.userId);
  for (const [what, others_are] of [
    ['the other one is disabled', { disabled_at: new Date() }],
    ['the other one is about to be deleted', { disabled_at: null, delete_at: new Date() }],
    ['the other one has another role', { delete_at: null, role: 2 }],
  ] as const) {
    await others.set(others_are).execute();
    for (const groups of [['ops'], []]) {
      identity.clock.now += 1000;
      await signInWith(groups);
      t.strictSame(await account(), { role: 1, signed_out_at: null }, what);
    }
  }
  t.equal(await entries(), 1, 'the role that the groups gave');
  t.equal((await renewTokens(app, chief.refresh)).status, 200, 'and no session ends');
  t.match(logged(), 'the last super administrator keeps the role despite their groups');
  await others.set({ role: 1 }).execute();
  await signInWith([]);
  t.hasStrict(await account(), { role: 0 }, 'one of two can lose it');
  t.equal(await entries(), 2);
});

const refusals: [string, Change][] = [
  ["another's key", { key: other.privateKey }],
  ['another issuer', { claims: { iss: 'x' } }],
  ['another audience', { claims: { aud: 'x' } }],
  ['no jti', { claims: { jti: undefined } }],
  ['no iat', { claims: { iat: undefined } }],
  ['nobody named', { claims: { sub: undefined } }],
  ['expired', { claims: { exp: 1 } }],
  ['a clock ten minutes behind', { off: -10 * MINUTES }],
  ['a clock ten minutes ahead', { off: 10 * MINUTES }],
  ['issued long ago with a long lifetime', { claims: { iat: 1, exp: 4_000_000_000 } }],
];
t.test('rejected responses', async (t) => {
  const { handOver, back, begin, identity } = await setUp(t, { public_key: pem });
  for (const [title, change] of refusals) t.ok(isRefused(await handOver(change)), title);
  const state = async () => (await begin()).searchParams.get('state') ?? '';
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const [, payload = ''] = (await token()).split('.');
  t.ok(isRefused(await back({ state: await state(), token: `${none}.${payload}.` })), 'unsigned');
  const shared = new TextEncoder().encode(pem);
  const confused = await new SignJWT({ sub: 'root', jti: 'x' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('portal')
    .setAudience('plugin-square')
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(shared);
  t.ok(isRefused(await back({ state: await state(), token: confused })), 'the public key used as a secret');
  t.ok(isRefused(await back({ state: await state(), token: 'x'.repeat(20_000) })), 'too long');
  t.ok(isRefused(await back({ state: await state() })), 'none');
  t.ok(isRefused(await back({ state: await state(), error: 'access_denied' })), 'a wrong password');
  const [header, , signature] = (await token()).split('.');
  const forged = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'root', jti: 'new' }),
  );
  const tampered = `${header}.${forged.toString('base64url')}.${signature}`;
  t.ok(isRefused(await back({ state: await state(), token: tampered })), 'tampered');
  const used = await state();
  t.ok((await back({ state: used, token: await token() })).searchParams.get('code'));
  const again = await back({ state: used, token: await token() });
  t.equal(again.searchParams.get('login_error'), 'SSO_STATE_INVALID', 'a state used twice');
  const once = await token();
  t.ok((await back({ state: await state(), token: once })).searchParams.get('code'));
  t.ok(isRefused(await back({ state: await state(), token: once })), 'a second time');
  t.notMatch(identity.logged(), once);
});

t.test('accepts two minutes of clock skew', async (t) => {
  const { handOver } = await setUp(t, { public_key: pem });
  t.ok((await handOver({ off: 2 * MINUTES })).searchParams.get('code'));
  t.ok((await handOver({ off: -2 * MINUTES })).searchParams.get('code'));
});

t.test('a callback without a pending sign-in starts a new one', async (t) => {
  const { back } = await setUp(t, { public_key: pem });
  t.equal((await back({ token: await token() })).href, `${PUBLIC_URL}/api/auth/login`);
});

t.test('keys from an address; an unavailable portal is reported', async (t) => {
  const jwk = { ...(await exportJWK(portal.publicKey)), kid: 'portal', alg: 'ES256' };
  const server = createServer((_request, response) => void response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(async () => void server.close());
  const jwks_url = `http://127.0.0.1:${portOf(server)}/keys`;
  const { handOver } = await setUp(t, { jwks_url });
  t.ok((await handOver()).searchParams.get('code'));
  const down = await setUp(t, { jwks_url: 'http://127.0.0.1:9/keys' });
  t.equal((await down.handOver()).searchParams.get('sso_error'), 'SERVICE_UNAVAILABLE');
});

t.test('a block without exactly one usable key fails the start', async (t) => {
  await t.rejects(setUp(t), { message: /exactly one of "jwks_url" and "public_key" is required/ });
  await t.rejects(setUp(t, { public_key: 'x' }), {
    message: /"public_key" is not a public key in PEM format/,
  });
});
