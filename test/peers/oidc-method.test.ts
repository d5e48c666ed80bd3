import { generateKeyPair, SignJWT } from 'jose';
import t from 'tap';
import type { MethodSettings } from '../../server/identity/methods/settings/read-settings.ts';
import { ask, CALLBACK, exchange, PUBLIC_URL, signUp, testIdentity } from '../support/identity.ts';
import { providerPages } from '../support/openid-browser.ts';
import { CLIENT, openIdProvider, type Tamper } from '../support/openid-provider.ts';

type Test = Parameters<typeof testIdentity>[0];

const METHODS = ['oidc', 'oauth2'] as const;
const MINUTES = 60_000;

/** An identity service whose people are those of panva's provider. */
async function setUp(t: Test, method: (typeof METHODS)[number] = 'oidc', change = {}) {
  const openid = await openIdProvider(t, PUBLIC_URL, {
    callbackPath: `/user/sso/${method}/callback`,
    groups: ['staff', 'design-admins'],
  });
  await openid.start();
  const client = { client_id: CLIENT.id, client_secret: CLIENT.secret, ...change };
  const settings: MethodSettings =
    method === 'oidc'
      ? { method, issuer: openid.issuer, provider_logout: true, ...client }
      : {
          method,
          authorization_url: `${openid.issuer}/auth`,
          token_url: `${openid.issuer}/token`,
          userinfo_url: `${openid.issuer}/me`,
          scope: 'openid profile email',
          fields: { subject: 'sub', user_name: 'preferred_username' },
          ...client,
        };
  const identity = await testIdentity(t, { methods: [{ method: 'local' }, settings] });
  const { app } = identity;
  const begin = async (redirect_uri = CALLBACK) => {
    const answer = await ask(app, 'POST /user/page/sso', { body: { source: method, redirect_uri } });
    if (answer.status !== 200) throw new Error(`begin answered ${answer.status}`);
    return new URL(String(answer.body.data.go_to));
  };
  /** Goes through the provider's pages as somebody, and answers where it leads back to. */
  const visit = (address: URL, as = 'ada') => {
    address.searchParams.set('login_hint', as);
    return providerPages(openid.issuer, PUBLIC_URL).follow(address.href);
  };
  /** Comes back from the provider, and answers where that leads. */
  const back = async (address: URL) => {
    const answer = await app.inject({ method: 'GET', url: address.pathname + address.search });
    if (answer.statusCode !== 303) throw new Error(`the way back answered ${answer.statusCode}`);
    return new URL(String(answer.headers.location));
  };
  const signIn = async (as?: string) => back(await visit(await begin(), as));
  return { identity, app, openid, begin, visit, back, signIn };
}

/** The reason with which the sign-in page is shown again. */
const reason = ({ pathname, searchParams }: URL) => [pathname, searchParams.get('sso_error')];
const REFUSED = ['/user/login', 'SSO_REFUSED'];

for (const method of METHODS) {
  t.test(`${method}: from the provider to an account, and to the same one again`, async (t) => {
    const { app, begin, signIn } = await setUp(t, method, { roles: { 'Design-Admins': 'admin' } });
    const address = await begin();
    t.match(address.searchParams.get('code_challenge'), /^[\w-]{43}$/);
    t.equal(address.searchParams.get('code_challenge_method'), 'S256');
    const arrived = await signIn();
    t.equal(arrived.origin + arrived.pathname, `${PUBLIC_URL}/api/auth/callback`);
    t.equal(arrived.searchParams.get('nonce'), 'n0nce');
    const first = await exchange(app, arrived.searchParams.get('code') ?? '');
    const again = await exchange(app, (await signIn()).searchParams.get('code') ?? '');
    t.equal(again.userId, first.userId);
    const other = await exchange(app, (await signIn('grace')).searchParams.get('code') ?? '');
    t.not(other.userId, first.userId);
    const { body } = await ask(app, 'GET /user/userinfo', { bearer: again.access });
    t.match(body.data, {
      user_name: 'ada.l',
      nick_name: 'ada Lovelace',
      email: 'ada@example.org',
      avatar_url: 'https://pictures.example/ada.png',
    });
    const claims = JSON.parse(Buffer.from(again.access.split('.')[1] ?? '', 'base64url').toString());
    t.equal(claims.role, 2, 'by a group, whatever its case');
  });

  t.test(`${method}: a state is used once, and only with the code that belongs to it`, async (t) => {
    const { begin, visit, back, identity } = await setUp(t, method);
    const [one, two] = [await begin(), await begin()];
    const [backOne, backTwo] = [await visit(one), await visit(two, 'grace')];
    const swapped = new URL(backOne);
    swapped.searchParams.set('state', backTwo.searchParams.get('state') ?? '');
    t.strictSame(reason(await back(swapped)), REFUSED, "one tab's code with the other tab's state");
    t.equal((await back(backTwo)).searchParams.get('login_error'), 'SSO_STATE_INVALID', 'used up');
    t.ok((await back(backOne)).searchParams.get('code'));
    t.equal((await back(backOne)).searchParams.get('login_error'), 'SSO_STATE_INVALID', 'a second time');
    const late = await visit(await begin());
    identity.clock.now += 11 * MINUTES;
    t.equal((await back(late)).searchParams.get('login_error'), 'SSO_STATE_INVALID', 'too late');
    t.notMatch(identity.logged(), backOne.searchParams.get('code') ?? 'x');
  });

  t.test(`${method}: what is not taken`, async (t) => {
    const { app, begin, visit, back, openid } = await setUp(t, method);
    const broken = async (tamper: Tamper) => {
      const address = await visit(await begin());
      openid.tamper = tamper;
      const answer = reason(await back(address));
      openid.tamper = undefined;
      return answer;
    };
    const forged = await visit(await begin());
    forged.searchParams.set('code', 'another');
    t.strictSame(reason(await back(forged)), REFUSED, 'a code that the provider does not know');
    const denied = new URL(forged);
    denied.searchParams.delete('code');
    denied.searchParams.set('error', 'access_denied');
    denied.searchParams.set('state', (await begin()).searchParams.get('state') ?? '');
    t.strictSame(reason(await back(denied)), REFUSED, 'the person has said no');
    const down: Tamper = (path, body) => (path === '/me' ? '{"sub":"somebody else"}' : body);
    if (method === 'oidc') t.strictSame(await broken(down), REFUSED, 'user info of another subject');
    t.strictSame(
      await broken((path, body) => (path === '/token' ? 'null' : body)),
      REFUSED,
      'no answer that is one',
    );
    const foreign = await ask(app, 'POST /user/page/sso', {
      body: { source: method, redirect_uri: 'https://evil.example/' },
    });
    t.equal(foreign.status, 400);
    t.match(foreign.body, { code: 'REDIRECT_URI_REFUSED' });
    const unknown = await ask(app, 'POST /user/page/sso', {
      body: { source: 'nope', redirect_uri: CALLBACK },
    });
    t.equal(unknown.status, 404);
  });

  t.test(`${method}: a provider that is down is told, and used again when it is back`, async (t) => {
    const { begin, visit, back, openid, signIn } = await setUp(t, method);
    const address = await visit(await begin());
    openid.stop();
    t.strictSame(reason(await back(address)), ['/user/login', 'SERVICE_UNAVAILABLE']);
    await openid.start();
    t.ok((await signIn()).searchParams.get('code'));
  });
}

t.test('an ID token is taken only as the provider has signed it, for us, now', async (t) => {
  const { begin, visit, back, openid } = await setUp(t);
  const { privateKey } = await generateKeyPair('RS256');
  const signed = (change: (claims: Record<string, unknown>) => Record<string, unknown>): Tamper => {
    return async (path, body) => {
      if (path !== '/token') return body;
      const answer = JSON.parse(body);
      const [header = '', payload = ''] = answer.id_token.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
      const id_token = await new SignJWT(change(claims))
        .setProtectedHeader({ alg: 'RS256', kid })
        .sign(privateKey);
      return JSON.stringify({ ...answer, id_token });
    };
  };
  const unsigned: Tamper = (path, body) => {
    if (path !== '/token') return body;
    const answer = JSON.parse(body);
    const [, payload = ''] = answer.id_token.split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    return JSON.stringify({ ...answer, id_token: `${header}.${payload}.` });
  };
  const without: Tamper = (path, body) =>
    path === '/token' ? JSON.stringify({ ...JSON.parse(body), id_token: undefined }) : body;
  const cases: [string, Tamper][] = [
    ['another key', signed((claims) => claims)],
    ['unsigned', unsigned],
    ['none', without],
    ['another audience', signed((claims) => ({ ...claims, aud: 'somebody' }))],
    ['expired', signed((claims) => ({ ...claims, exp: 1 }))],
    ['another nonce', signed((claims) => ({ ...claims, nonce: 'x' }))],
  ];
  for (const [title, tamper] of cases) {
    const address = await visit(await begin());
    openid.tamper = tamper;
    t.strictSame(reason(await back(address)), REFUSED, title);
    openid.tamper = undefined;
  }
});

t.test('an address that has an account leads to its proof; sign-out leads to the provider', async (t) => {
  const { app, signIn, openid } = await setUp(t);
  const owner = await signUp(app, { email: 'ada@example.org' });
  const { access } = await exchange(app, owner.code);
  const page = await signIn();
  t.equal(page.pathname, '/user/login/bind');
  const id = page.searchParams.get('id');
  t.equal((await ask(app, 'POST /3rd-party/bind', { bearer: access, body: { id } })).status, 200);
  const bound = await exchange(app, (await signIn()).searchParams.get('code') ?? '');
  const { body } = await ask(app, 'GET /config/private/standard/1', { bearer: bound.access });
  const { logout_mode, logout_url } = Object(body.data['oidc-private']);
  t.equal(logout_mode, 1);
  t.equal(new URL(logout_url).origin, openid.issuer);
  t.notMatch(logout_url, 'id_token_hint');
});

t.test('groups may take a role away again, but not from the last super administrator', async (t) => {
  const { app, signIn, identity } = await setUp(t, 'oidc', { roles: { nobody: 'super_admin' } });
  const first = await exchange(app, (await signIn()).searchParams.get('code') ?? '');
  const roleOf = async () => {
    const row = await identity.db
      .selectFrom('account')
      .select('role')
      .where('user_id', '=', first.userId)
      .executeTakeFirstOrThrow();
    return row.role;
  };
  const set = (role: 0 | 1, userId?: number) => {
    const update = identity.db.updateTable('account').set({ role });
    return (userId === undefined ? update : update.where('user_id', '=', userId)).execute();
  };
  await set(1, first.userId);
  await signIn();
  t.equal(await roleOf(), 0);
  await set(0);
  await set(1, first.userId);
  await signIn();
  t.equal(await roleOf(), 1);
  t.match(identity.logged(), 'the last super administrator keeps his role');
});
