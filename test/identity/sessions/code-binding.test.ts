import { createHash, randomBytes } from 'node:crypto';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import t, { type Test } from 'tap';
import {
  ADMIN,
  type Answer,
  ask,
  CALLBACK,
  codeIn,
  newPerson,
  PUBLIC_URL,
  signUp,
  testIdentity,
} from '../../support/identity.ts';
import { challengeOf, codeAt, withSecondFactor } from '../second-factor/support.ts';

type App = Awaited<ReturnType<typeof testIdentity>>['app'];

const VERIFIER = randomBytes(32).toString('base64url');
const OTHER = randomBytes(32).toString('base64url');
const challengeFor = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
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
  ['the nonce of another sign-in', { ...RIGHT, redirect_uri: `${PUBLIC_URL}/api/auth/callback?nonce=other` }],
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
    const back = await app.inject(`/user/sso/custom-sso/callback?${new URLSearchParams({ state, token })}`);
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
