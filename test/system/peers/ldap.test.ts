import t from 'tap';
import { ldapMethod } from '../../../server/identity/sign-in/federation/ldap.ts';
import type { LdapSettings } from '../../../server/identity/sign-in/federation/settings-schema.ts';
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
import { BASE_DN, GROUPS_DN, NO_SLAPD, SERVICE, type Slapd, slapdProgram, startSlapd } from './slapd.ts';
import { type Fate, ldapProxy, type Sent } from './support/ldap-proxy.ts';

t.test('directories', async (t) => {
  const program = slapdProgram();

  type Entry = { uid: string; mail?: string; name?: string; password?: string; extra?: string };

  function person({ uid, mail, name = uid, password = `${uid}-password`, extra = '' }: Entry): string {
    return `dn: uid=${uid},ou=people,${BASE_DN}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${name}
sn: ${name}
displayName: ${name}
${mail === undefined ? '' : `mail: ${mail}\n`}${extra}userPassword: ${password}
`;
  }

  const PEOPLE = [
    person({
      uid: 'ada',
      mail: 'ada@example.org',
      name: 'Ada Lovelace',
      extra: 'departmentNumber: Engines\n',
    }),
    person({ uid: 'ada2', mail: 'shared@example.org' }),
    person({ uid: 'ada3', mail: 'shared@example.org' }),
    person({ uid: 'kim', name: '김하늘' }),
    person({ uid: 'taken', mail: 'Taken@Example.org' }),
    person({ uid: 'star*', name: 'Star' }),
    person({ uid: 'late', extra: 'pwdChangedTime: 20000101000000Z\n' }),
    person({ uid: 'locked', extra: 'pwdAccountLockedTime: 000001010000Z\n' }),
    person({ uid: 'x)(cn=admins', name: 'Injector' }),
    person({ uid: 'eve\\,ou=people', name: 'Eve' }).replace(/^uid: .*$/m, 'uid: eve,ou=people'),
    `dn: cn=admins,${GROUPS_DN}
objectClass: groupOfNames
cn: admins
member: uid=ada,ou=people,${BASE_DN}
`,
  ].join('\n');

  const settingsFor = (slapd: Slapd, change: Partial<LdapSettings> = {}): LdapSettings => ({
    method: 'ldap',
    url: slapd.url,
    start_tls: true,
    ca_file: slapd.caFile,
    bind_dn: SERVICE.dn,
    bind_password: SERVICE.password,
    base_dn: `ou=people,${BASE_DN}`,
    filter: '(|(uid={account})(mail={account}))',
    groups: { base_dn: GROUPS_DN },
    ...change,
  });

  t.test('users of a directory', { skip: program === undefined && NO_SLAPD }, async (t) => {
    if (program === undefined) return;
    const slapd = await startSlapd(t, program, PEOPLE);
    const identity = await testIdentity(t, {
      methods: [{ method: 'local' }, settingsFor(slapd, { roles: { admins: 'admin' }, e_id: 7 })],
      mail: SOME_MAIL,
    });
    const { app } = identity;
    const signIn = (account: string, password: string) =>
      ask(app, 'POST /user/page/sign_in', { body: { account, password, redirect_uri: CALLBACK } });

    t.test('the page offers the configured methods', async (t) => {
      const { body } = await ask(app, 'GET /user/page/options');
      t.strictSame(body.data.methods, [
        { source: 'local', method: 'local', kind: 'password', label: null },
        { source: 'ldap', method: 'ldap', kind: 'password', label: null },
      ]);
    });

    t.test(
      'the correct password creates an account at the first sign-in, and finds it at the next',
      async (t) => {
        const first = await exchange(app, codeIn(await signIn('ada', 'ada-password')));
        const again = await exchange(app, codeIn(await signIn(' ADA@example.org ', 'ada-password')));
        t.equal(again.userId, first.userId);
        const { body } = await ask(app, 'GET /user/userinfo', { bearer: again.access });
        t.hasStrict(body.data, {
          user_name: 'ada',
          nick_name: 'Ada Lovelace',
          email: 'ada@example.org',
          department: 'Engines',
          e_id: 7,
        });
        t.hasStrict(JSON.parse(Buffer.from(again.access.split('.')[1] ?? '', 'base64url').toString()), {
          role: 2,
        });
        const { rows } = await identity.db
          .selectFrom('session')
          .select('login_method')
          .where('user_id', '=', first.userId)
          .execute()
          .then((rows) => ({ rows }));
        t.ok(rows.every(({ login_method }) => login_method === 'ldap'));
      },
    );

    t.test('a role that groups grant is reported once to other services', async (t) => {
      const { userId } = await exchange(app, codeIn(await signIn('ada', 'ada-password')));
      const { body } = await ask(app, 'POST /user/account-changes', { body: { after: 0, roles_after: 0 } });
      t.hasStrict(body.data.role_list, [{ user_id: userId, role: 2 }]);
      t.equal([body.data.role_list].flat().length, 1);
    });

    t.test('a user without an address, in another script', async (t) => {
      const { access } = await exchange(app, codeIn(await signIn('kim', 'kim-password')));
      const { body } = await ask(app, 'GET /user/userinfo', { bearer: access });
      t.hasStrict(body.data, { nick_name: '김하늘', email: '' });
    });

    const refused: [string, string, string][] = [
      ['a wrong password', 'ada', 'ada-passwort'],
      ['nobody', 'nobody', 'ada-password'],
      ['an account that is a filter', '*)(uid=ada', 'ada-password'],
      ['an account that matches all', '*', 'ada-password'],
      ['an account with an escape', 'ad\\61', 'ada-password'],
      ['a distinguished name', `uid=ada,ou=people,${BASE_DN}`, 'ada-password'],
      ['an address of two people', 'shared@example.org', 'ada2-password'],
      ['the service account', 'search', SERVICE.password],
      ['spaces for a password', 'ada', '   '],
      ['an expired password', 'late', 'late-password'],
      ['a locked account', 'locked', 'locked-password'],
      ['the start of a distinguished name', 'ada,ou=people', 'ada-password'],
      ['a filter that closes ours', 'ada)(objectClass=*', 'ada-password'],
      ['a whole filter', '(uid=ada)', 'ada-password'],
    ];
    for (const [title, account, password] of refused) {
      t.test(`refused: ${title}`, async (t) => {
        const answer = await signIn(account, password);
        t.equal(answer.status, 401);
        t.hasStrict(answer.body, { code: 'CREDENTIALS_INVALID' });
      });
    }

    t.test('a NUL never reaches the directory', async (t) => {
      const answer = await signIn('ada\u0000', 'ada-password');
      t.equal(answer.status, 400);
      t.hasStrict(answer.body, { code: 'VALIDATION_FAILED', errors: [{ pointer: '/account' }] });
    });

    t.test('an asterisk in a name is no wildcard', async (t) => {
      t.equal((await signIn('star*', 'star*-password')).status, 200);
    });

    t.test('names that look like filters and distinguished names', async (t) => {
      for (const uid of ['x)(cn=admins', 'eve,ou=people']) {
        const password = `${uid.replace(',', '\\,')}-password`;
        const { access } = await exchange(app, codeIn(await signIn(uid, password)));
        t.hasStrict(
          JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()),
          { role: 0 },
          uid,
        );
      }
    });

    t.test('an empty password never reaches the directory', async (t) => {
      await slapd.kill();
      const answer = await signIn('kim', '');
      t.equal(answer.status, 400);
      await slapd.start();
    });

    t.test('the verified address of an account requires linking first', async (t) => {
      const owner = await signUp(app, { email: 'taken@example.org' });
      await ownAddress(identity.db, owner.email);
      const { access } = await exchange(app, owner.code);
      const answer = await signIn('taken', 'taken-password');
      t.equal(answer.status, 200);
      const page = new URL(String(answer.body.data.continue_to));
      t.equal(page.pathname, '/api/auth/callback');
      const id = page.searchParams.get('bind') ?? '';
      const stranger = await exchange(app, (await signUp(app)).code);
      const refusedBind = await ask(app, 'POST /3rd-party/bind', {
        bearer: stranger.access,
        body: { id, redirect_uri: CALLBACK },
      });
      t.equal(refusedBind.status, 403);
      t.hasStrict(refusedBind.body, { code: 'BIND_REFUSED' });
      const body = { id, redirect_uri: CALLBACK, password: owner.password };
      t.equal((await ask(app, 'POST /3rd-party/bind', { bearer: access, body })).status, 200);
      t.equal((await ask(app, 'POST /3rd-party/bind', { bearer: access, body })).status, 403, 'once');
      const bound = await exchange(app, codeIn(await signIn('taken', 'taken-password')));
      t.equal(
        bound.userId,
        (await exchange(app, codeIn(await signIn('taken@example.org', owner.password)))).userId,
      );
    });

    t.test('an unavailable directory does not block other methods, and recovers', async (t) => {
      const local = await signUp(app);
      await slapd.kill();
      t.equal((await signIn(local.email, local.password)).status, 200);
      const answer = await signIn('ada', 'ada-password');
      t.equal(answer.status, 503);
      t.hasStrict(answer.body, { code: 'SERVICE_UNAVAILABLE' });
      await slapd.start();
      t.equal((await signIn('ada', 'ada-password')).status, 200);
    });

    t.test('no password is logged', async (t) => {
      t.notMatch(identity.logged(), 'ada-password');
      t.notMatch(identity.logged(), SERVICE.password);
    });
  });

  t.test('connection settings', { skip: program === undefined && NO_SLAPD }, async (t) => {
    if (program === undefined) return;
    const slapd = await startSlapd(t, program, PEOPLE);
    const statusBy = async (change: Partial<LdapSettings>, { without }: { without?: 'ca_file' } = {}) => {
      const settings = settingsFor(slapd, change);
      if (without) delete settings[without];
      const { app } = await testIdentity(t, { methods: [settings] });
      const body = { account: 'ada', password: 'ada-password', redirect_uri: CALLBACK };
      return (await ask(app, 'POST /user/page/sign_in', { body })).status;
    };
    t.equal(await statusBy({ url: slapd.ldapsUrl, start_tls: false }), 200, 'ldaps');
    t.equal(await statusBy({ start_tls: false, allow_plain: true }), 200, 'plain, when allowed');
    t.equal(
      await statusBy({ url: slapd.ldapsUrl, start_tls: false }, { without: 'ca_file' }),
      503,
      'unknown authority',
    );
    t.equal(
      await statusBy({ url: slapd.url.replace('127.0.0.1', 'localhost') }),
      503,
      'another name in its certificate',
    );
    t.equal(await statusBy({ bind_password: 'wrong' }), 503, 'a service account that is refused');
    t.equal(await statusBy({ creates_accounts: false }), 403, 'only users with an account');
    await t.rejects(statusBy({ start_tls: false }), { message: /would send passwords in plain text/ });
    await t.rejects(statusBy({ ca_file: '/nowhere.pem' }), {
      message: /the ca_file cannot be read: \/nowhere\.pem/,
    });
  });
});

t.test('hostile directories', async (t) => {
  /** Timeouts in milliseconds for a directory that does not reply, and for one that does. */
  const LIMIT = 250;
  const ENOUGH = 3000;
  const ADA = { account: 'ada', password: 'CANARY-ada-password' };
  const PEOPLE = `dn: uid=ada,ou=people,${BASE_DN}
objectClass: inetOrgPerson
uid: ada
cn: Ada
sn: Lovelace
userPassword: ${ADA.password}
`;

  const program = slapdProgram();

  t.test(
    'a directory that hangs, hesitates or hangs up',
    { skip: program === undefined && NO_SLAPD },
    async (t) => {
      if (program === undefined) return;
      const slapd = await startSlapd(t, program, PEOPLE);
      const plain = await ldapProxy(t, Number(new URL(slapd.url).port));
      const tls = await ldapProxy(t, Number(new URL(slapd.ldapsUrl).port));
      const common: LdapSettings = {
        method: 'ldap',
        url: `ldap://127.0.0.1:${plain.port}`,
        ca_file: slapd.caFile,
        bind_dn: SERVICE.dn,
        bind_password: SERVICE.password,
        base_dn: `ou=people,${BASE_DN}`,
        groups: { base_dn: GROUPS_DN },
      };
      const SETTINGS = {
        plain: { ...common, allow_plain: true },
        start_tls: { ...common, start_tls: true },
        ldaps: { ...common, url: `ldaps://127.0.0.1:${tls.port}` },
      };
      type Kind = keyof typeof SETTINGS;
      let wrong = 0;
      const onWrong = (): void => {
        wrong += 1;
      };
      const outcome = async (kind: Kind, fate: (sent: Sent) => Fate, timeout = ENOUGH) => {
        plain.fate = fate;
        tls.fate = fate;
        try {
          const person = await ldapMethod({ ...SETTINGS[kind], timeout }, { source: 'ldap' }).authenticate(
            ADA,
            onWrong,
          );
          return person === undefined ? 'nobody' : 'let in';
        } catch (error) {
          return Object(error).code;
        }
      };
      const at =
        (operation: string, fate: Fate, sameBefore = 0) =>
        (sent: Sent): Fate =>
          sent.operation === operation && sent.sameBefore === sameBefore ? fate : 'pass';

      t.test('slow', async (t) => {
        const cases: [title: string, kind: Kind, fate: (sent: Sent) => Fate][] = [
          ['at the service account', 'plain', at('bind', 'hold')],
          ['at the search', 'plain', at('search', 'hold')],
          ['at the search for groups', 'plain', at('search', 'hold', 1)],
          ["at the person's password", 'plain', at('bind', 'hold', 1)],
          ['a byte at a time', 'plain', at('search', 'dribble')],
          ['at StartTLS', 'start_tls', at('start_tls', 'hold')],
          ['at the handshake after StartTLS', 'start_tls', at('tls', 'hold')],
          ['at the handshake of ldaps', 'ldaps', at('tls', 'hold')],
        ];
        for (const [title, kind, fate] of cases) {
          wrong = 0;
          t.equal(await outcome(kind, fate, LIMIT), 'SERVICE_UNAVAILABLE', title);
          const counts = title === "at the person's password";
          t.equal(
            wrong,
            counts ? 1 : 0,
            `${title}: counted as a guess only where it may be the answer to one`,
          );
        }
        for (const kind of ['plain', 'start_tls', 'ldaps'] as const) {
          t.equal(await outcome(kind, () => 'pass'), 'let in', `${kind}, when it answers`);
        }
      });

      t.test('a broken connection sends no password in plain text, and is not reopened', async (t) => {
        t.match(plain.seen().toString('latin1'), ADA.password, 'without TLS it would be seen');
        const before = plain.seen().length;
        const whole: Sent[] = [];
        await outcome('start_tls', (sent) => {
          whole.push(sent);
          return 'pass';
        });
        t.ok(whole.length > 4);
        for (const { before: place } of whole) {
          const connections = plain.connections();
          const came = await outcome('start_tls', (sent) => (sent.before === place ? 'cut' : 'pass'));
          t.match(came, /^(let in|SERVICE_UNAVAILABLE)$/, `after piece ${place}`);
          t.equal(plain.connections(), connections + 1);
        }
        const seen = plain.seen().subarray(before).toString('latin1');
        t.notMatch(seen, ADA.password);
        t.notMatch(seen, SERVICE.password);
      });
    },
  );
});
