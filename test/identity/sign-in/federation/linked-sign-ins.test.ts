import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { isStartError } from '../../../../server/database/errors.ts';
import { secretText } from '../../../../server/identity/sign-in/federation/secrets.ts';
import {
  readMethodSettings,
  sourceOf,
  warnOfUnusedSignOut,
} from '../../../../server/identity/sign-in/federation/settings.ts';
import type { DeployType } from '../../../../shared/deploy-types.ts';
import {
  ask,
  CALLBACK,
  codeIn,
  exchange,
  ownAddress,
  PUBLIC_URL,
  signUp,
  type Tokens,
  testIdentity,
} from '../../../support/identity.ts';
import { type Received, startMailServer } from '../../../support/mail-server.ts';
import { providerPages } from '../../../support/openid-browser.ts';
import { CLIENT, openIdProvider } from '../../../support/openid-provider.ts';
import { GATEWAY_TO_IDENTITY } from '../../../support/service-keys.ts';
import { codeAt } from '../second-factor/support.ts';

t.test('linked sign ins', async (t) => {
  const SOURCES = ['ada-id', 'campus'];
  const openid = await openIdProvider(t, PUBLIC_URL, {
    callbackPath: '/user/sso/ada-id/callback',
    otherPaths: ['/user/sso/campus/callback'],
  });
  await openid.start();
  const postbox = await startMailServer(t);
  const client = { issuer: openid.issuer, client_id: CLIENT.id, client_secret: CLIENT.secret };
  const { app, db, clock, logged } = await testIdentity(t, {
    methods: [
      { method: 'local' },
      ...SOURCES.map((source) => ({ method: 'oidc' as const, source, label: `${source} & Co`, ...client })),
    ],
    mail: { server: postbox.server, from: 'square@example.org' },
  });
  const MINUTE = 60_000;

  /** Signs in as the provider's user `name` through this source. @returns the resulting address */
  async function arrive(source: string, name: string): Promise<URL> {
    // The provider uses the real clock.
    clock.now = Math.max(Date.now(), Math.min(clock.now, Date.now() + MINUTE));
    const body = { source, redirect_uri: CALLBACK };
    const started = await ask(app, 'POST /user/page/sso', { body });
    const there = new URL(String(started.body.data.go_to));
    there.searchParams.set('login_hint', name);
    const { pathname, search } = await providerPages(openid.issuer, PUBLIC_URL).follow(there.href);
    const { headers } = await app.inject({
      method: 'GET',
      url: pathname + search,
      headers: { authorization: GATEWAY_TO_IDENTITY },
    });
    return new URL(String(headers.location));
  }
  const idOf = async (source: string, name: string) =>
    (await arrive(source, name)).searchParams.get('bind') ?? '';
  const signInBy = async (source: string, name: string) =>
    exchange(app, (await arrive(source, name)).searchParams.get('code') ?? '');
  const bind = ({ access }: Pick<Tokens, 'access'>, body: object) =>
    ask(app, 'POST /3rd-party/bind', { bearer: access, body: { redirect_uri: CALLBACK, ...body } });
  const read = ({ access }: Pick<Tokens, 'access'>, body: object) =>
    ask(app, 'POST /3rd-party/bind/read', { bearer: access, body: { redirect_uri: CALLBACK, ...body } });
  const unlink = ({ access }: Pick<Tokens, 'access'>, body: object) =>
    ask(app, 'POST /user/account/linked/remove', { bearer: access, body });
  const list = async ({ access }: Pick<Tokens, 'access'>) => {
    const { body } = await ask(app, 'GET /user/account/linked/list', { bearer: access });
    return Object(body.data) as { linked_list: Record<string, unknown>[]; proof: string };
  };
  /** A user who has signed in through `ada-id` before, and has verified the address since. */
  async function arrived(name: string): Promise<Tokens> {
    const tokens = await signInBy('ada-id', name);
    await ownAddress(db, `${name}@example.org`);
    return tokens;
  }
  /** A user with a password and the verified address that the provider's user of this name also has. */
  async function person(name: string) {
    const typed = await signUp(app, { email: `${name}@example.org`, nick_name: name });
    await ownAddress(db, typed.email);
    return { ...typed, ...(await exchange(app, typed.code)) };
  }

  t.test('users with a password must type it; wrong ones count like failed sign-ins', async (t) => {
    const mia = await person('mia');
    const id = await idOf('ada-id', 'mia');
    const shown = await read(mia, { id });
    t.strictSame(shown.body.data, {
      label: 'ada-id & Co',
      method: 'oidc',
      name: 'mia Lovelace',
      email: 'mia@example.org',
      avatar_url: 'https://pictures.example/ada.png',
      proof: 'password',
    });
    const stranger = await person('stranger');
    t.hasStrict((await read(stranger, { id })).body, { code: 'BIND_REFUSED' }, 'other users get no data');
    t.hasStrict((await read(mia, { id, redirect_uri: `${CALLBACK}2` })).body, { code: 'BIND_REFUSED' });
    for (const body of [{ id }, { id, code: '123456' }]) {
      const refused = await bind(mia, body);
      t.hasStrict([refused.status, refused.body.code], [403, 'REAUTHENTICATION_REQUIRED']);
    }
    for (let tries = 0; tries < 5; tries += 1) {
      const refused = await bind(mia, { id, password: 'wrong' });
      t.hasStrict(
        [refused.status, refused.body.code, refused.body.errors],
        [422, 'PASSWORD_WRONG', [{ pointer: '/password', message: 'is wrong' }]],
      );
    }
    const early = await bind(mia, { id, password: mia.password });
    t.hasStrict(
      [early.status, early.body.code, early.headers['retry-after']],
      [429, 'TOO_MANY_REQUESTS', '2'],
    );
    const body = { account: mia.email, password: mia.password, redirect_uri: CALLBACK };
    t.equal((await ask(app, 'POST /user/page/sign_in', { body })).status, 429, 'one count for both');
    t.strictSame((await list(mia)).linked_list, []);
    clock.now += MINUTE;
    t.equal((await bind(mia, { id, password: mia.password })).status, 200);
    t.equal((await signInBy('ada-id', 'mia')).userId, mia.userId);
    t.notMatch(logged(), mia.password);
  });

  /** The n-th mail to an address, starting with 1. */
  async function mailTo(address: string, number: number): Promise<Received> {
    let seen = 0;
    for (let next = 1; ; next += 1) {
      const mail = await postbox.mail(next);
      if (mail.to.includes(address)) seen += 1;
      if (seen === number) return mail;
    }
  }

  t.test('the owner gets a mail with what was linked, when, and how to undo it', async (t) => {
    const noa = await person('noa');
    const at = new Date(clock.now);
    await bind(noa, { id: await idOf('ada-id', 'noa'), password: noa.password, language: 'en-US' });
    const { headers, text, html } = await mailTo('noa@example.org', 1);
    t.match(headers, /Subject: An account was linked to your Plugin Square account/);
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(at);
    for (const words of [day, ' UTC', 'ada-id & Co', '“noa”', 'noa Lovelace (noa@example.org)'])
      t.match(text, words);
    t.match(text, 'remove it under “Linked accounts” on your account page');
    t.match(text, `${PUBLIC_URL}/plugins/account`);
    t.match(html, 'ada-id &amp; Co', 'as text, not as markup');
    for (const [index, [language, words]] of (
      [
        ['zh-CN', '你的插件广场账号“noa”绑定了 campus & Co 的账号：noa Lovelace (noa@example.org)'],
        ['ja-JP', 'プラグイン広場のアカウント「noa」に ada-id & Co のアカウントが連携されました'],
        ['ko-KR', '플러그인 광장 계정 ‘noa’에 campus & Co 계정이 연결되었습니다'],
        ['ru-RU', 'на сайте «Площадка плагинов» связан аккаунт сервиса «ada-id & Co»'],
        ['es-ES', 'se vinculó a tu cuenta «noa» de Plaza de plugins una cuenta de campus & Co'],
      ] as const
    ).entries()) {
      const source = index % 2 === 0 ? 'campus' : 'ada-id';
      const [{ link_id } = {}] = (await list(noa)).linked_list.filter(
        ({ label }) => label === `${source} & Co`,
      );
      if (link_id !== undefined) await unlink(noa, { link_id, password: noa.password });
      const bound = await bind(noa, { id: await idOf(source, 'noa'), password: noa.password, language });
      t.equal(bound.status, 200, language);
      const received = (await mailTo('noa@example.org', index + 2)).text;
      t.match(received, words, language);
      t.notMatch(received, /[{}]/, language);
    }
  });

  t.test('users with a second factor must use it, and the password is not enough', async (t) => {
    const kim = await person('kim');
    const own = (path: string, body: object) =>
      ask(app, `POST /user/account/second_factor/${path}`, { bearer: kim.access, body });
    const secret = String((await own('begin', {})).body.data.secret);
    const confirmedAt = clock.now;
    await own('confirm', { code: codeAt(secret, confirmedAt) });
    const id = await idOf('ada-id', 'kim');
    clock.now = Math.max(clock.now, confirmedAt) + 30_000;
    t.equal((await read(kim, { id })).body.data.proof, 'code');
    const byPassword = await bind(kim, { id, password: kim.password });
    t.hasStrict([byPassword.status, byPassword.body.code], [403, 'REAUTHENTICATION_REQUIRED']);
    const wrong = await bind(kim, { id, code: '000000', password: kim.password });
    t.hasStrict([wrong.status, wrong.body.code], [422, 'SECOND_FACTOR_WRONG']);
    t.equal((await bind(kim, { id, code: codeAt(secret, clock.now) })).status, 200);
    t.equal((await list(kim)).proof, 'code');
  });

  t.test('users with neither must have signed in within the last five minutes', async (t) => {
    const zoe = await arrived('zoe');
    const id = await idOf('campus', 'zoe');
    t.equal((await read(zoe, { id })).body.data.proof, 'none');
    clock.now += 5 * MINUTE + 1000;
    t.equal((await read(zoe, { id })).body.data.proof, 'sign_in');
    const late = await bind(zoe, { id });
    t.hasStrict([late.status, late.body.code], [403, 'REAUTHENTICATION_REQUIRED']);
    const again = await signInBy('ada-id', 'zoe');
    t.equal((await bind(again, { id })).status, 200);
    t.equal((await signInBy('campus', 'zoe')).userId, zoe.userId);
  });

  t.test('an id expires after 15 minutes', async (t) => {
    const uma = await person('uma');
    const id = await idOf('ada-id', 'uma');
    clock.now += 15 * MINUTE + 1000;
    const body = { account: uma.email, password: uma.password, redirect_uri: CALLBACK };
    const fresh = await exchange(app, codeIn(await ask(app, 'POST /user/page/sign_in', { body })));
    t.hasStrict((await bind(fresh, { id, password: uma.password })).body, { code: 'BIND_REFUSED' });
  });

  t.test('linked accounts are listed and can be unlinked, except the last way to sign in', async (t) => {
    const bea = await arrived('bea');
    const [only, ...none] = (await list(bea)).linked_list;
    t.strictSame(none, []);
    t.match(only, {
      link_id: /^[\w-]{43}$/,
      label: 'ada-id & Co',
      method: 'oidc',
      name: 'bea Lovelace',
      email: 'bea@example.org',
      is_removable: false,
    });
    const last = await unlink(bea, { link_id: only?.link_id });
    t.hasStrict([last.status, last.body.code], [409, 'LAST_SIGN_IN']);
    t.equal((await bind(bea, { id: await idOf('campus', 'bea') })).status, 200);
    const thief = await signInBy('campus', 'bea');
    const { linked_list } = await list(bea);
    t.hasStrict(linked_list, [{ is_removable: true }, { label: 'campus & Co', is_removable: true }]);
    const link_id = linked_list[1]?.link_id;
    t.equal((await unlink(await person('other'), { link_id, password: 'x' })).status, 404, 'one’s own alone');
    clock.now += 5 * MINUTE + 1000;
    t.hasStrict((await unlink(bea, { link_id })).body, { code: 'REAUTHENTICATION_REQUIRED' });
    const fresh = await signInBy('ada-id', 'bea');
    t.equal((await unlink(fresh, { link_id })).status, 200);
    t.equal((await unlink(fresh, { link_id })).status, 404);
    const info = (tokens: Tokens) => ask(app, 'GET /user/userinfo', { bearer: tokens.access });
    t.equal((await info(thief)).status, 401, 'what was signed in with it has ended');
    t.equal((await info(fresh)).status, 200);
    t.equal((await info(bea)).status, 200, 'sessions by other ways go on');
    t.match((await arrive('campus', 'bea')).searchParams.get('bind'), /./, 'it signs in no more');
  });

  t.test('two concurrent removals leave one way to sign in', async (t) => {
    const leo = await arrived('leo');
    await bind(leo, { id: await idOf('campus', 'leo') });
    const { linked_list } = await list(leo);
    const both = await Promise.all(linked_list.map(({ link_id }) => unlink(leo, { link_id })));
    t.strictSame(both.map(({ status }) => status).sort(), [200, 409]);
    t.equal((await list(leo)).linked_list.length, 1);
  });

  t.test('a link from before names were stored gets a name at the next sign-in', async (t) => {
    const ivy = await signInBy('ada-id', 'ivy');
    await db
      .updateTable('external_identity')
      .set({ name: '', email: '' })
      .where('user_id', '=', ivy.userId)
      .execute();
    t.hasStrict((await list(ivy)).linked_list, [{ name: '', email: '' }]);
    await signInBy('ada-id', 'ivy');
    t.hasStrict((await list(ivy)).linked_list, [{ name: 'ivy Lovelace', email: 'ivy@example.org' }]);
  });
});

t.test('settings', async (t) => {
  const LDAP = { method: 'ldap', url: 'ldaps://directory.example', base_dn: 'dc=example' };
  const OIDC = { method: 'oidc', issuer: 'https://id.example', client_id: 'a', client_secret: 'b' };

  t.test('without the setting there are local accounts only', async (t) => {
    t.strictSame(readMethodSettings(undefined), [{ method: 'local' }]);
  });

  t.test('blocks keep their order, and their ids are their sources', async (t) => {
    const blocks = [
      { method: 'local' },
      LDAP,
      { ...LDAP, source: 'second' },
      { ...OIDC, roles: { ops: 'admin' } },
    ];
    const settings = readMethodSettings(JSON.stringify(blocks));
    t.strictSame(settings, blocks);
    t.strictSame(settings.map(sourceOf), ['local', 'ldap', 'second', 'oidc']);
  });

  const broken: [title: string, text: string, message: RegExp][] = [
    ['no JSON', '[{', /^IDENTITY_METHODS is not valid JSON\.$/],
    ['no array', '{}', /must be a JSON array/],
    ['nothing in it', '[]', /must be a JSON array with one block/],
    ['no method', '[{}]', /block 1: "method" must be one of local, ldap, oidc, oauth2, saml, custom_sso/],
    ['an unknown method', '[{"method":"kerberos"}]', /block 1: "method" must be one of/],
    ['a missing field', '[{"method":"local"},{"method":"ldap"}]', /block 2 \(ldap\): /],
    ['an unknown field', JSON.stringify([{ ...LDAP, bind_pasword: 'x' }]), /block 1 \(ldap\): /],
    ['a wrong url', JSON.stringify([{ ...LDAP, url: 'https://x' }]), /block 1 \(ldap\): \/url /],
    ['a filter without a place', JSON.stringify([{ ...LDAP, filter: '(uid=x)' }]), /\/filter /],
    ['an unknown role', JSON.stringify([{ ...OIDC, roles: { ops: 'god' } }]), /\/roles\/ops /],
    ['a bad source', JSON.stringify([{ ...OIDC, source: '../x' }]), /\/source /],
    [
      'a sign-out that leads nowhere',
      JSON.stringify([{ ...OIDC, logout_mode: 1 }]),
      /block 1 \(oidc\): logout_mode 1 needs a logout_url\.$/,
    ],
    ['two of one name', JSON.stringify([LDAP, LDAP]), /two blocks called "ldap"/],
  ];
  for (const [title, text, message] of broken) {
    t.test(`fails the start: ${title}`, async (t) => {
      try {
        readMethodSettings(text);
        t.fail('was taken');
      } catch (error) {
        t.ok(isStartError(error));
        t.match(error, { message });
      }
    });
  }

  t.test('a sign-out that no public site reads is named at the start', async (t) => {
    const url = 'https://out.example/';
    const methods = readMethodSettings(
      JSON.stringify([
        { ...LDAP, logout_mode: 1, logout_url: url },
        { ...LDAP, source: 'plain', logout_mode: 0, logout_url: url },
        { ...OIDC, source: 'campus', provider_logout: true },
        { ...OIDC, source: 'quiet', provider_logout: false },
        { method: 'local' },
      ]),
    );
    const warned = (deployType: DeployType, of = methods) => {
      const warnings: unknown[] = [];
      warnOfUnusedSignOut(of, deployType, { warn: (...words: unknown[]) => void warnings.push(words) });
      return warnings;
    };
    const said =
      'provider_logout and logout_mode 1 have no effect: only private sites (DEPLOY_TYPE) sign out there';
    for (const type of ['domestic', 'overseas', 'dev'] as const)
      t.strictSame(warned(type), [[{ sources: ['ldap', 'campus'] }, said]], type);
    for (const type of ['pri', 'cluster'] as const) t.strictSame(warned(type), [], type);
    t.strictSame(warned('domestic', readMethodSettings(undefined)), []);
  });

  t.test('a secret may be in a file', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'secret-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'secret'), 'hidden\n');
    t.equal(secretText({ file: join(folder, 'secret') }), 'hidden');
    t.equal(secretText('open'), 'open');
    t.throws(() => secretText({ file: join(folder, 'none') }), { message: /cannot be read/ });
  });
});
