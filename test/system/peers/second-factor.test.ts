import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import t from 'tap';
import {
  challengeOf,
  codeAt,
  codesOf,
  dataOf,
  FINISH,
  PASS,
} from '../../identity/sign-in/second-factor/support.ts';
import {
  ask,
  CALLBACK,
  codeIn,
  exchange,
  ownAddress,
  SOME_MAIL,
  signUp,
  testIdentity,
} from '../../support/identity.ts';
import { GATEWAY_TO_IDENTITY } from '../../support/service-keys.ts';
import { BASE_DN, NO_SLAPD, SERVICE, slapdProgram, startSlapd } from './slapd.ts';

const program = slapdProgram();
const ACCOUNT = '/user/account/second_factor';

const person = (uid: string, mail: string): string => `dn: uid=${uid},ou=people,${BASE_DN}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${uid}
sn: ${uid}
mail: ${mail}
userPassword: ${uid}-password
`;

t.test(
  'the second factor of users of other directories',
  {
    skip: program === undefined && NO_SLAPD,
  },
  async (t) => {
    if (program === undefined) return;
    const slapd = await startSlapd(
      t,
      program,
      [person('ada', 'ada@example.org'), person('kim', 'kim@example.org')].join('\n'),
    );
    const portal = await generateKeyPair('ES256');
    const { app, db, clock } = await testIdentity(t, {
      secondFactor: 'administrators',
      mail: SOME_MAIL,
      methods: [
        { method: 'local' },
        {
          method: 'ldap',
          url: slapd.url,
          start_tls: true,
          ca_file: slapd.caFile,
          bind_dn: SERVICE.dn,
          bind_password: SERVICE.password,
          base_dn: `ou=people,${BASE_DN}`,
          filter: '(uid={account})',
        },
        {
          method: 'custom_sso',
          login_url: 'https://portal.example/',
          issuer: 'portal',
          audience: 'square',
          public_key: await exportSPKI(portal.publicKey),
          roles: { chiefs: 'super_admin' },
        },
      ],
    });
    const signIn = (account: string, password: string) =>
      ask(app, 'POST /user/page/sign_in', { body: { account, password, redirect_uri: CALLBACK } });
    const pass = (challenge: string, code: string) =>
      ask(app, PASS, { body: { challenge, code, redirect_uri: CALLBACK } });

    t.test('an administrator from a directory with passwords sets one up', async (t) => {
      const member = await exchange(app, codeIn(await signIn('ada', 'ada-password')));
      await db.updateTable('account').set({ role: 2 }).where('user_id', '=', member.userId).execute();
      const { token, kind, secret } = challengeOf(await signIn('ada', 'ada-password'));
      t.equal(kind, 'enrol');
      t.equal(codesOf(await pass(token, codeAt(secret, clock.now))).length, 10);
      const done = await ask(app, FINISH, { body: { challenge: token, redirect_uri: CALLBACK } });
      const session = await exchange(app, codeIn(done));
      t.equal(session.userId, member.userId);
      const state = await ask(app, `GET ${ACCOUNT}`, { bearer: session.access });
      t.hasStrict(dataOf(state), { is_required: true, is_elsewhere: false });
    });

    t.test('linking to an account with a second factor requires it, also at later sign-ins', async (t) => {
      const owner = await signUp(app, { email: 'kim@example.org' });
      await ownAddress(db, owner.email);
      const own = await exchange(app, owner.code);
      const secret = String(
        dataOf(await ask(app, `POST ${ACCOUNT}/begin`, { bearer: own.access, body: {} })).secret,
      );
      const body = { code: codeAt(secret, clock.now) };
      await ask(app, `POST ${ACCOUNT}/confirm`, { bearer: own.access, body });
      clock.now += 30_000;

      const clash = await signIn('kim', 'kim-password');
      const id = new URL(String(dataOf(clash).continue_to)).searchParams.get('bind');
      t.match(id, /^[\w-]{43}$/, 'the address has an account');
      const { token } = challengeOf(await signIn(owner.email, owner.password));
      const session = await exchange(app, codeIn(await pass(token, codeAt(secret, clock.now))));
      const bind = (more: object) =>
        ask(app, 'POST /3rd-party/bind', {
          bearer: session.access,
          body: { id, redirect_uri: CALLBACK, ...more },
        });
      const byPassword = await bind({ password: owner.password });
      t.hasStrict([byPassword.status, byPassword.body.code], [403, 'REAUTHENTICATION_REQUIRED']);
      clock.now += 30_000;
      t.equal((await bind({ code: codeAt(secret, clock.now) })).status, 200);
      t.hasStrict(dataOf(await signIn('kim', 'kim-password')), {
        continue_to: null,
        challenge: { kind: 'code' },
      });
    });

    t.test('users of identity providers need none here, administrators included', async (t) => {
      const started = await ask(app, 'POST /user/page/sso', {
        body: { source: 'custom-sso', redirect_uri: CALLBACK },
      });
      const state = new URL(String(dataOf(started).go_to)).searchParams.get('state') ?? '';
      const now = Math.floor(clock.now / 1000);
      const token = await new SignJWT({ sub: 'c-1', jti: 'one', name: 'Chief', groups: ['chiefs'] })
        .setProtectedHeader({ alg: 'ES256' })
        .setIssuer('portal')
        .setAudience('square')
        .setIssuedAt(now)
        .setExpirationTime(now + 60)
        .sign(portal.privateKey);
      const query = new URLSearchParams({ state, token });
      const back = await app.inject({
        method: 'GET',
        url: `/user/sso/custom-sso/callback?${query}`,
        headers: { authorization: GATEWAY_TO_IDENTITY },
      });
      const code = new URL(String(back.headers.location)).searchParams.get('code') ?? '';
      const session = await exchange(app, code);
      const { data } = (await ask(app, `GET ${ACCOUNT}`, { bearer: session.access })).body;
      t.strictSame(data, {
        since: null,
        recovery_codes_left: 0,
        is_required: true,
        is_elsewhere: true,
        confirm: 'none',
      });
    });
  },
);
