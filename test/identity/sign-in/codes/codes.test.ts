import { createHash, randomBytes } from 'node:crypto';
import { createRemoteJWKSet, exportSPKI, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose';
import t, { type Test } from 'tap';
import { openSigningKey } from '../../../../server/encryption/signing-key.ts';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER, JWKS_PATH } from '../../../../shared/user-service.ts';
import {
  ADMIN,
  type Answer,
  ask,
  CALLBACK,
  codeIn,
  ENCRYPTOR,
  EXCHANGE,
  exchange,
  newPerson,
  PUBLIC_URL,
  renewTokens,
  SHOWN,
  signUp,
  testIdentity,
  tokensIn,
} from '../../../support/identity.ts';
import { GATEWAY_TO_IDENTITY } from '../../../support/service-keys.ts';
import { challengeOf, codeAt, withSecondFactor } from '../second-factor/support.ts';

t.test('codes', async (t) => {
  const { app, db, clock, logged } = await testIdentity(t);

  const REFUSED = { code: 'CODE_INVALID', message: 'code err' };

  t.test('a code is exchanged for user info and tokens', async (t) => {
    const person = await signUp(app);
    const { status, headers, body } = await ask(app, `${EXCHANGE}${person.code}`);
    t.equal(status, 200);
    t.equal(headers['cache-control'], 'no-store');
    t.equal(body.code, 0);
    t.match(body.data, {
      email: person.email,
      nick_name: person.nick_name,
      user_name: /^user_/,
      mobile: '',
      sex: 0,
      birthday: '',
      channel: 'official',
      tencent_docs: false,
      avatar_url: '',
      created_at: new Date(clock.now).toISOString(),
      department: '',
      e_id: 0,
      is_administrator: false,
      is_owner: false,
      staff_status: 0,
      identification: '',
      access_token: /^[\w-]+\.[\w-]+\.[\w-]+$/,
      refresh_token: /^[\w-]{43}$/,
      refresh_expires_in: 30 * 24 * 60 * 60,
      login_method: 'local',
    });
    t.equal(body.data.account_id, body.data.user_id);
    t.notOk('password_hash' in body.data);
  });

  t.test('POST user/oauth2/login returns the same', async (t) => {
    const { code, email } = await signUp(app);
    const { status, body } = await ask(app, 'POST /user/oauth2/login', {
      body: { app: 'square', code, ...SHOWN },
    });
    t.equal(status, 200);
    t.match(body.data, { email, access_token: String, refresh_token: String, login_method: 'local' });
  });

  t.test('a code is valid for 60 seconds', async (t) => {
    const inTime = await signUp(app);
    const late = await signUp(app);
    clock.now += 59_999;
    t.equal((await ask(app, `${EXCHANGE}${inTime.code}`)).status, 200);
    clock.now += 1;
    const answer = await ask(app, `${EXCHANGE}${late.code}`);
    t.equal(answer.status, 400);
    t.strictSame(answer.body, REFUSED);
  });

  t.test('a second use is rejected, logged, and ends the session of the first use', async (t) => {
    const { code } = await signUp(app);
    const tokens = await exchange(app, code);
    t.equal((await ask(app, 'GET /user/valid', { bearer: tokens.refresh })).status, 200);
    const second = await ask(app, 'POST /user/oauth2/login', { body: { app: 'square', code, ...SHOWN } });
    t.equal(second.status, 400);
    t.strictSame(second.body, REFUSED);
    t.match(logged(), '"event":"code_reuse"');
    t.equal((await ask(app, 'GET /user/userinfo', { bearer: tokens.access })).body.code, 'TOKEN_INVALID');
    t.equal((await renewTokens(app, tokens.refresh)).body.code, 'TOKEN_INVALID');
  });

  t.test('exactly one of 20 parallel exchanges of a code succeeds', async (t) => {
    const { code } = await signUp(app);
    const before = await countSessions();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(app, `${EXCHANGE}${code}`)));
    t.equal(answers.filter(({ status }) => status === 200).length, 1);
    t.equal(answers.filter(({ body }) => body.code === 'CODE_INVALID').length, 19);
    t.equal(await countSessions(), before + 1);
  });

  t.test('an unknown code is rejected', async (t) => {
    for (const code of ['x', 'A'.repeat(43), '%27%20or%201=1', 'a'.repeat(2048)]) {
      const answer = await ask(app, `${EXCHANGE}${code}`);
      t.equal(answer.status, 400, code.slice(0, 20));
      t.strictSame(answer.body, REFUSED);
    }
  });

  t.test('a signed-in user gets a code for a second session', async (t) => {
    const tokens = await newPerson(app);
    const { status, body } = await ask(app, 'GET /user/login/code', { bearer: tokens.access });
    t.equal(status, 200);
    t.equal(body.data.expires_in, 60);
    const beside = tokensIn(await ask(app, `GET /user/login/code/user?code=${body.data.code}`));
    t.equal(beside.userId, tokens.userId);
    await ask(app, 'POST /user/logout', { bearer: beside.refresh });
    t.equal((await ask(app, 'GET /user/valid', { bearer: tokens.refresh })).status, 200, 'the first goes on');
  });

  t.test('only hashes of codes and tokens are stored', async (t) => {
    const { code } = await signUp(app);
    const tokens = await exchange(app, code);
    const rows = JSON.stringify([
      await db.selectFrom('authorization_code').selectAll().execute(),
      await db.selectFrom('refresh_token').selectAll().execute(),
      await db.selectFrom('session').selectAll().execute(),
    ]);
    for (const secret of [code, tokens.refresh, tokens.access]) {
      t.notOk(rows.includes(secret));
      t.notOk(rows.includes(JSON.stringify([...Buffer.from(secret)]).slice(1, -1)));
    }
  });

  async function countSessions(): Promise<number> {
    const { count } = await db
      .selectFrom('session')
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  }
});

t.test('code binding', async (t) => {
  type App = Awaited<ReturnType<typeof testIdentity>>['app'];

  const VERIFIER = randomBytes(32).toString('base64url');
  const OTHER = randomBytes(32).toString('base64url');
  const challengeFor = (verifier: string): string =>
    createHash('sha256').update(verifier).digest('base64url');
  const BEGUN = {
    redirect_uri: CALLBACK,
    code_challenge: challengeFor(VERIFIER),
    code_challenge_method: 'S256',
  };
  const REFUSED = { code: 'CODE_INVALID', message: 'code err' };

  function take(app: App, code: string, shown: Record<string, string>): Promise<Answer> {
    return ask(app, `GET /user/login/code/user?${new URLSearchParams({ code, ...shown })}`);
  }

  const RIGHT = { redirect_uri: CALLBACK, code_verifier: VERIFIER };
  const WRONG: [string, Record<string, string>][] = [
    ['the code alone', {}],
    ['no verifier', { redirect_uri: CALLBACK }],
    ['no address', { code_verifier: VERIFIER }],
    ['the verifier of another sign-in', { ...RIGHT, code_verifier: OTHER }],
    ['the challenge as verifier', { ...RIGHT, code_verifier: challengeFor(VERIFIER) }],
    [
      'the nonce of another sign-in',
      { ...RIGHT, redirect_uri: `${PUBLIC_URL}/api/auth/callback?nonce=other` },
    ],
    ['the address without its nonce', { ...RIGHT, redirect_uri: `${PUBLIC_URL}/api/auth/callback` }],
    ['the address and more', { ...RIGHT, redirect_uri: `${CALLBACK}&a=1` }],
  ];

  /** For every way to issue it: a code works only with its own parameters, and wrong ones consume it. */
  async function isBound(t: Test, app: App, issue: () => Promise<string>): Promise<void> {
    for (const [what, shown] of WRONG) {
      const code = await issue();
      t.match(code, /^[\w-]{43}$/, what);
      const answer = await take(app, code, shown);
      t.equal(answer.status, 400, what);
      t.strictSame(answer.body, REFUSED, what);
      t.strictSame((await take(app, code, RIGHT)).body, REFUSED, `used up by ${what}`);
    }
    t.equal((await take(app, await issue(), RIGHT)).status, 200);
  }

  t.test('password sign-in and sign-up', async (t) => {
    const { app, logged } = await testIdentity(t);
    const person = await signUp(app);
    let made = 0;
    await t.test('password', (t) =>
      isBound(t, app, async () =>
        codeIn(
          await ask(app, 'POST /user/page/sign_in', {
            body: { account: person.email, password: person.password, ...BEGUN },
          }),
        ),
      ),
    );
    t.match(logged(), '"event":"code_injection"');
    t.notMatch(logged(), VERIFIER);
    await t.test('sign-up', (t) =>
      isBound(t, app, async () => {
        made += 1;
        const body = {
          email: `bound${made}@example.org`,
          nick_name: `Bound ${made}`,
          password: `violet-${made}-umbrella-tram`,
          ...BEGUN,
        };
        return codeIn(await ask(app, 'POST /user/page/sign_up', { body }));
      }),
    );
  });

  t.test('second-factor code and setup', async (t) => {
    const { app, db, clock, guarded, passwordOf, pass, finish } = await withSecondFactor(t, 'administrators');
    const person = await guarded();
    await t.test('code', (t) =>
      isBound(t, app, async () => {
        clock.now += 30_000;
        const { token } = challengeOf(await passwordOf(person.email, person.password, BEGUN));
        return codeIn(await pass(token, person.app()));
      }),
    );
    await t.test('enrolment', (t) =>
      isBound(t, app, async () => {
        clock.now += 30_000;
        await db.deleteFrom('second_factor').execute();
        const { token, kind, secret } = challengeOf(await passwordOf(ADMIN.email, ADMIN.password, BEGUN));
        t.equal(kind, 'enrol');
        await pass(token, codeAt(secret, clock.now));
        return codeIn(await finish(token));
      }),
    );
  });

  t.test('identity provider', async (t) => {
    const portal = await generateKeyPair('ES256');
    const block = {
      method: 'custom_sso',
      login_url: 'https://portal.example/hand-over',
      issuer: 'portal',
      audience: 'plugin-square',
      public_key: await exportSPKI(portal.publicKey),
    } as const;
    const { app, clock } = await testIdentity(t, { methods: [block] });
    let handed = 0;
    const issue = async (): Promise<string> => {
      const started = await ask(app, 'POST /user/page/sso', { body: { source: 'custom-sso', ...BEGUN } });
      handed += 1;
      const now = Math.floor(clock.now / 1000);
      const token = await new SignJWT({
        sub: 'e-77',
        name: 'Ada',
        email: 'ada@corp.example',
        jti: `t-${handed}`,
      })
        .setProtectedHeader({ alg: 'ES256' })
        .setIssuer('portal')
        .setAudience('plugin-square')
        .setIssuedAt(now)
        .setExpirationTime(now + 60)
        .sign(portal.privateKey);
      const state = new URL(String(started.body.data.go_to)).searchParams.get('state') ?? '';
      const back = await app.inject({
        url: `/user/sso/custom-sso/callback?${new URLSearchParams({ state, token })}`,
        headers: { authorization: GATEWAY_TO_IDENTITY },
      });
      return new URL(String(back.headers.location)).searchParams.get('code') ?? '';
    };
    await isBound(t, app, issue);
  });

  t.test('no code is issued for the gateway without a challenge', async (t) => {
    const { app, db } = await testIdentity(t);
    const { email: account, password } = ADMIN;
    for (const [what, started] of [
      ['neither', { code_challenge: undefined }],
      ['no method', { code_challenge: BEGUN.code_challenge }],
      ['no challenge', { code_challenge: undefined, code_challenge_method: 'S256' }],
      ['plain', { code_challenge: VERIFIER, code_challenge_method: 'plain' }],
      ['no hash', { code_challenge: 'short', code_challenge_method: 'S256' }],
    ] as const) {
      const body = { account, password, redirect_uri: CALLBACK, ...started };
      const answer = await ask(app, 'POST /user/page/sign_in', { body });
      t.equal(answer.status, 400, what);
      t.equal(answer.body.code, 'VALIDATION_FAILED', what);
    }
    const more = { code_challenge: undefined };
    const sso = { source: 'oidc', redirect_uri: CALLBACK, ...more };
    t.equal((await ask(app, 'POST /user/page/sso', { body: sso })).body.code, 'VALIDATION_FAILED');
    const made = { email: 'a@example.org', nick_name: 'A', password: 'violet-umbrella-tram', ...more };
    const signedUp = await ask(app, 'POST /user/page/sign_up', { body: { ...made, redirect_uri: CALLBACK } });
    t.strictSame(signedUp.body.errors, [
      { pointer: '/code_challenge', message: 'is required for a code to this redirect_uri' },
    ]);
    const none = { account, password, redirect_uri: CALLBACK, response_type: 'none', ...more };
    t.equal((await ask(app, 'POST /user/page/sign_in', { body: none })).body.data.continue_to, CALLBACK);
    t.strictSame(await db.selectFrom('authorization_code').selectAll().execute(), []);
  });

  t.test('an unbound code is rejected for a sign-in with a challenge', async (t) => {
    const { app } = await testIdentity(t);
    const { access } = await newPerson(app);
    const issue = async (): Promise<string> =>
      String((await ask(app, 'GET /user/login/code', { bearer: access })).body.data.code);
    t.strictSame((await take(app, await issue(), RIGHT)).body, REFUSED);
    t.strictSame((await take(app, await issue(), { code_verifier: VERIFIER })).body, REFUSED);
    t.equal((await take(app, await issue(), {})).status, 200, 'a client that knows the code alone');

    const page = `${PUBLIC_URL}/plugins/?a=1`;
    const body = { account: ADMIN.email, password: ADMIN.password, redirect_uri: page };
    const signIn = async () => codeIn(await ask(app, 'POST /user/page/sign_in', { body }));
    t.strictSame((await take(app, await signIn(), { ...RIGHT, redirect_uri: page })).body, REFUSED);
    t.strictSame((await take(app, await signIn(), {})).body, REFUSED);
    t.equal((await take(app, await signIn(), { redirect_uri: page })).status, 200);
  });

  t.test('the exchange call for apps is equally strict', async (t) => {
    const { app } = await testIdentity(t);
    const issue = async (): Promise<string> =>
      codeIn(
        await ask(app, 'POST /user/page/sign_in', {
          body: { account: ADMIN.email, password: ADMIN.password, ...BEGUN },
        }),
      );
    const login = async (shown: object) =>
      ask(app, 'POST /user/oauth2/login', { body: { app: 'desk', code: await issue(), ...shown } });
    for (const [what, shown] of WRONG) t.strictSame((await login(shown)).body, REFUSED, what);
    t.equal((await login(RIGHT)).status, 200);
  });

  t.test('no code is added to an address that does not accept one', async (t) => {
    const { app } = await testIdentity(t);
    for (const [address, hasCode] of [
      ['/plugins/?oauth2=1', false],
      ['/plugins/?oauth2=0&oauth2=1', false],
      ['/api/cmt/plugin/list', false],
      ['//api/cmt/plugin/list', false],
      ['/%61pi/cmt/plugin/list', false],
      ['/API/cmt/plugin/list', false],
      ['/plugins/?oauth2=2', true],
      ['/apis/', true],
    ] as const) {
      const body = { account: ADMIN.email, password: ADMIN.password, redirect_uri: PUBLIC_URL + address };
      const answer = await ask(app, 'POST /user/page/sign_in', { body });
      t.equal(codeIn(answer) !== '', hasCode, address);
    }
  });
});

t.test('access token', async (t) => {
  const { app, db, clock } = await testIdentity(t);
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const rules = { issuer: ACCESS_TOKEN_ISSUER, audience: ACCESS_TOKEN_AUDIENCE, algorithms: ['EdDSA'] };

  t.test('other services verify an access token with the published keys over HTTP', async (t) => {
    const tokens = await newPerson(app);
    const { payload, protectedHeader } = await jwtVerify(
      tokens.access,
      createRemoteJWKSet(new URL(`${address}${JWKS_PATH}`)),
      { ...rules, currentDate: new Date(clock.now) },
    );
    t.match(protectedHeader, { alg: 'EdDSA', typ: 'at+jwt', kid: String });
    const issuedAt = Math.floor(clock.now / 1000);
    t.match(payload, {
      iss: 'plugin-square-identity',
      aud: 'plugin-square',
      sub: String(tokens.userId),
      role: 0,
      nick_name: /^Person/,
      avatar_url: '',
      sid: /^[\da-f-]{36}$/,
      jti: /^[\da-f-]{36}$/,
      iat: issuedAt,
      exp: issuedAt + 15 * 60,
    });
    t.equal(Object.keys(payload).length, 10, 'and nothing else is in it');
  });

  t.test('the published keys are public and cacheable', async (t) => {
    const reply = await fetch(`${address}${JWKS_PATH}`);
    t.equal(reply.status, 200);
    t.equal(reply.headers.get('cache-control'), 'public, max-age=300');
    const set = await reply.json();
    t.equal(set.keys.length, 1);
    t.strictSame(Object.keys(set.keys[0]).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    t.hasStrict(set.keys[0], { alg: 'EdDSA', crv: 'Ed25519', kty: 'OKP', use: 'sig' });
  });

  t.test('real responses have the Date header with which clients correct their clocks', async (t) => {
    const { refresh: refresh_token } = await newPerson(app);
    const before = Math.floor(Date.now() / 1000) * 1000;
    const reply = await fetch(`${address}/user/refresh_token`, {
      method: 'POST',
      headers: { authorization: GATEWAY_TO_IDENTITY },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token }),
    });
    t.equal(reply.status, 200);
    const date = Date.parse(reply.headers.get('date') ?? '');
    t.ok(before <= date && date <= Date.now());
  });

  t.test('other tokens of this service are rejected', async (t) => {
    const tokens = await newPerson(app);
    const key = await db.selectFrom('signing_key').selectAll().executeTakeFirstOrThrow();
    const ours = await importJWK(openSigningKey(ENCRYPTOR, key) ?? {}, 'EdDSA');
    const foreign = (await generateKeyPair('EdDSA')).privateKey;
    const { payload } = await jwtVerify(tokens.access, await importJWK(key.public_jwk, 'EdDSA'), {
      ...rules,
      currentDate: new Date(clock.now),
    });
    const forge = (claims: Record<string, unknown>, typ = 'at+jwt', signer = ours) =>
      new SignJWT({ ...payload, ...claims })
        .setProtectedHeader({ alg: 'EdDSA', kid: key.kid, typ })
        .sign(signer);
    const statusOf = async (token: string) =>
      (await ask(app, 'GET /user/userinfo', { bearer: token })).status;

    t.equal(await statusOf(await forge({})), 200, 'the forger works');
    t.equal(await statusOf(await forge({}, 'JWT')), 401, 'other kind');
    t.equal(await statusOf(await forge({}, 'at+jwt', foreign)), 401, 'other key');
    t.equal(await statusOf(await forge({ aud: 'another' })), 401);
    t.equal(await statusOf(await forge({ iss: 'another' })), 401);
    t.equal(await statusOf(await forge({ exp: Math.floor(clock.now / 1000) })), 401);
    t.equal(await statusOf(await forge({ exp: undefined })), 401);
    t.equal(await statusOf(await forge({ sid: undefined })), 401);
    t.equal(await statusOf(await forge({ sid: 'not-a-session' })), 401);
    t.equal(await statusOf(await forge({ sid: 7 })), 401);
    t.equal(await statusOf(await forge({ sid: '00000000-0000-4000-8000-000000000000' })), 401);
  });
});
