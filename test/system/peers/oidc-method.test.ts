import { generateKeyPairSync } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import t from 'tap';
import { ask, CALLBACK, exchange, ownAddress, PUBLIC_URL, signUp } from '../../support/identity.ts';
import type { Tamper } from '../../support/openid-provider.ts';
import { METHODS, openIdMethod, REFUSED, reason } from './support/openid-method.ts';

t.test('sign-in method', async (t) => {
  const MINUTES = 60_000;

  for (const method of METHODS) {
    t.test(`${method}: signs in to a new account, and to the same one again`, async (t) => {
      const { app, begin, signIn } = await openIdMethod(t, method, {
        change: { roles: { 'Design-Admins': 'admin' } },
      });
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
      t.hasStrict(body.data, {
        user_name: 'ada.l',
        nick_name: 'ada Lovelace',
        email: 'ada@example.org',
        avatar_url: 'https://pictures.example/ada.png',
      });
      const claims = JSON.parse(Buffer.from(again.access.split('.')[1] ?? '', 'base64url').toString());
      t.equal(claims.role, 2, 'by a group, whatever its case');
    });

    t.test(`${method}: a state is valid once, and only with its own code`, async (t) => {
      const { begin, visit, back, identity } = await openIdMethod(t, method);
      const [one, two] = [await begin(), await begin()];
      const [backOne, backTwo] = [await visit(one), await visit(two, 'grace')];
      const swapped = new URL(backOne);
      swapped.searchParams.set('state', backTwo.searchParams.get('state') ?? '');
      t.strictSame(reason(await back(swapped)), REFUSED, "one tab's code with the other tab's state");
      t.equal((await back(backTwo)).searchParams.get('login_error'), 'SSO_STATE_INVALID', 'used up');
      t.ok((await back(backOne)).searchParams.get('code'));
      t.equal((await back(backOne)).searchParams.get('login_error'), 'SSO_STATE_INVALID', 'a second time');
      const third = await begin();
      const reused = new URL(backOne);
      reused.searchParams.set('state', third.searchParams.get('state') ?? '');
      t.strictSame(reason(await back(reused)), REFUSED, 'a code used twice, with a state of its own');
      const late = await visit(await begin());
      identity.clock.now += 11 * MINUTES;
      t.equal((await back(late)).searchParams.get('login_error'), 'SSO_STATE_INVALID', 'too late');
      t.notMatch(identity.logged(), backOne.searchParams.get('code') ?? 'x');
    });

    t.test(`${method}: rejected callbacks`, async (t) => {
      const { app, begin, visit, back, openid } = await openIdMethod(t, method);
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
      t.strictSame(reason(await back(denied)), REFUSED, 'the user has refused');
      const down: Tamper = (path, body) => (path === '/me' ? '{"sub":"somebody else"}' : body);
      if (method === 'oidc') t.strictSame(await broken(down), REFUSED, 'user info of another subject');
      t.strictSame(
        await broken((path, body) => (path === '/token' ? 'null' : body)),
        REFUSED,
        'no answer that is one',
      );
      t.strictSame(
        await broken((path, body) => (path === '/me' ? '<html>' : body)),
        REFUSED,
        'user info that is none',
      );
      const mixedUp = await visit(await begin());
      mixedUp.searchParams.set('iss', 'https://another.example');
      const comesBack = await back(mixedUp);
      if (method === 'oidc') t.strictSame(reason(comesBack), REFUSED, 'the answer of another provider');
      else t.ok(comesBack.searchParams.get('code'), 'no issuer is known to compare with');
      const foreign = await ask(app, 'POST /user/page/sso', {
        body: { source: method, redirect_uri: 'https://evil.example/' },
      });
      t.equal(foreign.status, 400);
      t.hasStrict(foreign.body, { code: 'REDIRECT_URI_REFUSED' });
      const unknown = await ask(app, 'POST /user/page/sso', {
        body: { source: 'nope', redirect_uri: CALLBACK },
      });
      t.equal(unknown.status, 404);
    });

    t.test(`${method}: an unavailable provider is reported, and used again when it is back`, async (t) => {
      const { begin, visit, back, openid, signIn } = await openIdMethod(t, method);
      const address = await visit(await begin());
      openid.stop();
      t.strictSame(reason(await back(address)), ['/user/login', 'SERVICE_UNAVAILABLE']);
      await openid.start();
      t.ok((await signIn()).searchParams.get('code'));
    });
  }

  for (const method of METHODS) {
    t.test(
      `${method}: client credentials that the provider refuses are the operator's to correct`,
      async (t) => {
        const wrong = 'CANARY-another-secret-of-32-characters';
        const { signIn, identity, openid } = await openIdMethod(t, method, {
          change: { client_secret: wrong },
        });
        t.strictSame(reason(await signIn()), ['/user/login', 'SIGN_IN_MISCONFIGURED']);
        t.match(
          identity.logged(),
          `wrong client credentials: ${openid.issuer}/token answered 401 invalid_client`,
        );
        t.match(identity.logged(), /challenge Basic realm=/);
        t.notMatch(identity.logged(), wrong);
      },
    );
  }

  t.test('a client authenticates by each method that it is registered with', async (t) => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const client_key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const jwks = {
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'of-the-site', use: 'sig', alg: 'ES256' }],
    };
    const secret = 'a secret+with/characters: that need 100% encoding';
    const cases: [registered: Record<string, unknown>, change: object][] = [
      [
        { token_endpoint_auth_method: 'client_secret_post', client_secret: secret },
        { client_secret: secret },
      ],
      [
        { token_endpoint_auth_method: 'client_secret_basic', client_secret: secret },
        { client_secret: secret, client_auth: 'client_secret_basic' },
      ],
      [
        {
          token_endpoint_auth_method: 'private_key_jwt',
          token_endpoint_auth_signing_alg: 'ES256',
          client_secret: undefined,
          jwks,
        },
        { client_secret: undefined, client_key, client_key_id: 'of-the-site' },
      ],
    ];
    for (const [registered, change] of cases) {
      const { app, signIn } = await openIdMethod(t, 'oidc', { registered, change });
      const code = (await signIn()).searchParams.get('code');
      t.ok((await exchange(app, code ?? '')).access, JSON.stringify(registered));
    }
  });

  t.test(
    'the verified address of an account leads to the bind page; sign-out leads to the provider',
    async (t) => {
      const { app, identity, signIn, openid } = await openIdMethod(t);
      const owner = await signUp(app, { email: 'ada@example.org' });
      await ownAddress(identity.db, owner.email);
      const { access } = await exchange(app, owner.code);
      const page = await signIn();
      t.equal(page.pathname, '/api/auth/callback');
      const id = page.searchParams.get('bind');
      const { password } = owner;
      const bind = { bearer: access, body: { id, password, redirect_uri: CALLBACK } };
      t.equal((await ask(app, 'POST /3rd-party/bind', bind)).status, 200);
      const bound = await exchange(app, (await signIn()).searchParams.get('code') ?? '');
      const { body } = await ask(app, 'GET /config/private/standard/1', { bearer: bound.access });
      const { logout_mode, logout_url } = Object(body.data['oidc-private']);
      t.equal(logout_mode, 1);
      t.equal(new URL(logout_url).origin, openid.issuer);
      t.notMatch(logout_url, 'id_token_hint');
    },
  );

  t.test('groups can revoke a role, but not of the last super administrator', async (t) => {
    const { app, signIn, identity } = await openIdMethod(t, 'oidc', {
      change: { roles: { nobody: 'super_admin' } },
    });
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
    t.match(identity.logged(), 'the last super administrator keeps the role despite their groups');
  });
});

t.test('ID tokens', async (t) => {
  type Claims = Record<string, unknown> & { iat: number; exp: number };
  type Change = (claims: Claims) => Record<string, unknown>;

  const MINUTES = 60;
  const provider = await generateKeyPair('RS256');
  const stranger = await generateKeyPair('RS256');
  const published = JSON.stringify({
    keys: [{ ...(await exportJWK(provider.publicKey)), kid: 'test', alg: 'RS256', use: 'sig' }],
  });

  const payloadOf = (token: string): Claims =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

  /** The provider signs with a key of the test, so that tokens with any claims have a valid signature. */
  const answering =
    (idToken: (token: string) => unknown): Tamper =>
    async (path, body) => {
      if (path === '/jwks') return published;
      if (path !== '/token') return body;
      const answer = JSON.parse(body);
      return JSON.stringify({ ...answer, id_token: await idToken(answer.id_token) });
    };

  const sign = (claims: Record<string, unknown>, key: CryptoKey): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test' }).sign(key);
  const signed = (change: Change, key = provider.privateKey): Tamper =>
    answering((token) => sign(change(payloadOf(token)), key));
  /** A provider with clock skew in seconds, whose tokens are valid for one minute. */
  const off = (seconds: number): Tamper =>
    signed(({ iat, ...claims }) => ({ ...claims, iat: iat + seconds, exp: iat + seconds + MINUTES }));

  const unsigned = answering((token) => {
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    return `${header}.${token.split('.')[1]}.`;
  });
  const changed = answering(async (token) => {
    const [header, , signature] = (await sign(payloadOf(token), provider.privateKey)).split('.');
    const payload = JSON.stringify({ ...payloadOf(token), sub: 'root' });
    return `${header}.${Buffer.from(payload).toString('base64url')}.${signature}`;
  });
  const earlier = await sign({ sub: 'ada' }, provider.privateKey);

  const TAKEN: [title: string, tamper: Tamper][] = [
    ['as the provider issued it', signed((claims) => claims)],
    ['a clock two minutes ahead', off(2 * MINUTES)],
    ['a clock two minutes behind', off(-2 * MINUTES)],
    ['dated five minutes back, good for an hour', signed((claims) => ({ ...claims, iat: claims.iat - 300 }))],
  ];
  const REFUSALS: [title: string, tamper: Tamper][] = [
    ['expired', signed((claims) => ({ ...claims, exp: claims.iat - 10 * MINUTES }))],
    ['a clock ten minutes ahead', off(10 * MINUTES)],
    ['a clock ten minutes behind', off(-10 * MINUTES)],
    ['issued ten minutes ago, valid for an hour', signed((claims) => ({ ...claims, iat: claims.iat - 600 }))],
    ['changed afterwards', changed],
    ['unsigned', unsigned],
    ["somebody else's key", signed((claims) => claims, stranger.privateKey)],
    ['another audience', signed((claims) => ({ ...claims, aud: 'somebody' }))],
    ['another issuer', signed((claims) => ({ ...claims, iss: 'https://another.example' }))],
    ['of another sign-in', signed((claims) => ({ ...claims, nonce: 'x' }))],
    ['replayed', answering(() => earlier)],
    ['none', answering(() => undefined)],
    ['no token', answering(() => 'hello')],
  ];

  t.test('accepts only ID tokens that the provider has signed, for us, now', async (t) => {
    const { begin, visit, back, openid } = await openIdMethod(t);
    const bringing = async (tamper: Tamper) => {
      openid.tamper = tamper;
      return back(await visit(await begin()));
    };
    for (const [title, tamper] of TAKEN) t.ok((await bringing(tamper)).searchParams.get('code'), title);
    for (const [title, tamper] of REFUSALS) t.strictSame(reason(await bringing(tamper)), REFUSED, title);
  });
});
