import { randomUUID } from 'node:crypto';
import t from 'tap';
import { insertNoticeMails } from '../../server/identity/mail/store.ts';
import { contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import type { NoticeKind } from '../../shared/routes/notice.ts';
import type { Browser } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { startBoth } from '../support/gateway-with-identity.ts';
import { ADMIN, ownAddress } from '../support/identity.ts';
import { startMailServer } from '../support/mail-server.ts';
import { stubAnswer } from '../support/stub-upstream.ts';
import { USER } from '../support/user-service.ts';

t.test('members', async (t) => {
  const ROUTES = Object.values<Route>(contract).filter(({ path }) => path.startsWith('/user/member/'));

  const isSignedIn = async (browser: Browser) => (await browser.call('/api/auth/userinfo')).status === 200;
  const { password } = ADMIN;
  const put = (browser: Browser, path: string, body: object) =>
    browser.call(path, { method: 'PUT', body: JSON.stringify({ ...body, password }) });
  const post = (browser: Browser, path: string, body: object) =>
    browser.call(path, { method: 'POST', body: JSON.stringify({ ...body, password }) });

  t.test('a super administrator manages members through the gateway', async (t) => {
    const { signedIn, newPerson } = await startBoth(t);
    const root = await signedIn(ADMIN.email, ADMIN.password);
    const person = await newPerson();
    const answer = await root.call('/user/member/list');
    t.hasStrict(
      [answer.status, answer.json().data],
      [200, { total: 2, member_list: [{ user_id: person.userId }, {}] }],
    );
    const promoted = await put(root, '/user/member/role', { user_id: person.userId, role: 2 });
    t.hasStrict(promoted.json().data, { user_id: person.userId, role: 2 });
    const changes = await root.call('/user/member/change/list');
    t.hasStrict(changes.json().data, { total: 1, entry_list: [{ action: 'member.role' }] });
    t.notMatch(root.received.join('\n'), /"(?:access|refresh)_token"|Bearer ey/);
  });

  t.test('sign-out everywhere ends the sessions of all browsers immediately', async (t) => {
    const { signedIn, newPerson } = await startBoth(t);
    const root = await signedIn(ADMIN.email, ADMIN.password);
    const { email, password, userId } = await newPerson();
    const browsers = [await signedIn(email, password), await signedIn(email, password)];
    for (const browser of browsers) t.ok(await isSignedIn(browser));
    t.equal((await post(root, '/user/member/sign_out', { user_id: userId })).status, 200);
    for (const browser of browsers) t.notOk(await isSignedIn(browser));
    t.ok(await isSignedIn(root), 'others stay');
    t.ok(await isSignedIn(await signedIn(email, password)), 'a new sign-in works');
  });

  t.test('disabling a user or removing their role is effective immediately', async (t) => {
    const { gateway, typeIn, signedIn, newPerson } = await startBoth(t);
    const root = await signedIn(ADMIN.email, ADMIN.password);
    const [first, second] = [await newPerson(), await newPerson()];
    await put(root, '/user/member/role', { user_id: second.userId, role: 2 });
    const disabled = await signedIn(first.email, first.password);
    const demoted = await signedIn(second.email, second.password);
    await put(root, '/user/member/disabled', { user_id: first.userId, is_disabled: true });
    await put(root, '/user/member/role', { user_id: second.userId, role: 0 });
    t.notOk(await isSignedIn(disabled));
    t.notOk(await isSignedIn(demoted));
    const again = await typeIn(gateway.browser(), first.email, first.password);
    t.hasStrict([again.status, again.json().code], [403, 'ACCOUNT_DISABLED']);
    t.ok(await isSignedIn(await signedIn(second.email, second.password)));
  });

  const ELSEWHERE: [what: string, settings: Record<string, string>, status: number][] = [
    [
      'a user service with its own login page',
      { IDENTITY_URL: 'https://users.example', LOGIN_URL: 'https://login.example/' },
      404,
    ],
    [
      'an OpenID Connect provider',
      {
        AUTH_PROVIDER: 'oidc',
        OIDC_ISSUER: 'https://issuer.example',
        OIDC_CLIENT_ID: 'square',
        OIDC_CLIENT_SECRET: 'secret',
        COMMUNITY_URL: 'https://community.example',
      },
      404,
    ],
    ['our own identity service on another machine', { IDENTITY_URL: 'https://identity.example' }, 401],
  ];

  for (const [what, settings, status] of ELSEWHERE) {
    t.test(`${what}: ${status}`, async (t) => {
      const gateway = await startGateway(t, { settings });
      for (const { method, path } of ROUTES) {
        const answer = await gateway
          .browser()
          .call(path, { method, ...(method !== 'GET' && { body: '{}' }) });
        t.equal(answer.status, status, path);
      }
      t.strictSame(gateway.identity.requests, [], 'no request');
    });
  }
});

t.test('profile', async (t) => {
  const PATH = '/api/auth/profile';
  const put = (body: unknown) => ({ method: 'PUT', body: JSON.stringify(body) });
  const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });

  t.test('a changed name is in the session and its next calls immediately', async (t) => {
    const { gateway, signedIn, newPerson } = await startBoth(t);
    gateway.community.on('POST /api/cmt/plugin/user', () => ({}));
    const person = await newPerson({ nick_name: 'Ada' });
    const browser = await signedIn(person.email, person.password);
    const former = browser.cookies.get('__Host-Http-session');
    const answer = await browser.call(PATH, put({ nick_name: 'Ada Lund' }));
    t.equal(answer.status, 200);
    t.hasStrict(answer.json().data, {
      signed_in: true,
      user: { user_id: person.userId, nick_name: 'Ada Lund' },
    });
    t.notMatch(answer.text, /access_token|refresh_token/);
    t.equal(answer.headers['cache-control'], 'no-store');
    t.not(browser.cookies.get('__Host-Http-session'), former);
    t.hasStrict((await browser.call('/api/auth/session')).json().data, { user: { nick_name: 'Ada Lund' } });
    await browser.call('/api/cmt/plugin/user', post({}));
    const [sent] = gateway.community.seen('POST /api/cmt/plugin/user');
    const claims = String(sent?.headers.authorization).split('.')[1] ?? '';
    t.hasStrict(JSON.parse(Buffer.from(claims, 'base64url').toString()), { nick_name: 'Ada Lund' });

    const refused = await browser.call(PATH, put({ nick_name: ' ' }));
    t.hasStrict(
      [refused.status, refused.json()],
      [400, { code: 'VALIDATION_FAILED', errors: [{ pointer: '/nick_name' }] }],
    );
    const without = await gateway.browser().call(PATH, put({ nick_name: 'Eve' }));
    t.hasStrict([without.status, without.json()], [401, { code: 'UNAUTHENTICATED' }]);
  });

  t.test('a deleted account is signed out in every browser immediately', async (t) => {
    const { signedIn, newPerson } = await startBoth(t);
    const person = await newPerson({ nick_name: 'Ada' });
    const here = await signedIn(person.email, person.password);
    const there = await signedIn(person.email, person.password);
    const body = { nick_name: 'Ada', plugins: 'keep', language: 'en-US', password: person.password };
    const answer = await here.call('/user/account/delete', post(body));
    t.equal(answer.status, 200);
    for (const browser of [here, there]) {
      const call = await browser.call('/user/account/deletion');
      t.hasStrict([call.status, call.json()], [401, { code: 'SESSION_ENDED' }]);
      t.hasStrict((await browser.call('/api/auth/session')).json().data, { signed_in: false });
    }
  });

  t.test('without local accounts the calls do not exist', async (t) => {
    const gateway = await startGateway(t, {
      settings: { IDENTITY_URL: 'http://127.0.0.1:9', LOGIN_URL: 'https://login.example/in' },
    });
    const browser = gateway.browser();
    await browser.signIn();
    gateway.community.otherwise(() => stubAnswer(200, { code: 0, message: 'ok', data: USER }));
    gateway.identity.otherwise(() => stubAnswer(200, { code: 0, message: 'ok', data: USER }));
    for (const [path, method] of [
      [PATH, 'PUT'],
      ['/api/cmt/user/avatar', 'POST'],
      ['/api/cmt/user/holdings', 'GET'],
      ['/api/cmt/user/export', 'POST'],
      ['/user/account/deletion', 'GET'],
      ['/user/account/delete', 'POST'],
      ['/user/account/email/change', 'POST'],
    ] as const) {
      const answer = await browser.call(path, method === 'GET' ? {} : { method, body: '{}' });
      t.equal(answer.status, 404, path);
    }
  });
});

t.test('unsubscribe', async (t) => {
  const PREFERENCES = '/user/account/mails';

  t.test('users unsubscribe by the link in a mail and in their account', async (t) => {
    const smtp = await startMailServer(t);
    const both = await startBoth(t, { mail: { server: smtp.server, from: 'square@example.org' } });
    const { gateway, db } = both;
    const ada = await both.newPerson({ email: 'ada@example.org' });
    await ownAddress(db, ada.email);
    const add = (kind: NoticeKind) => {
      const at = new Date(0);
      const data = { plugin_name: 'Grid', version: '1.0.0' };
      const mail = { key: randomUUID(), user_id: ada.userId, kind, data, created_at: new Date() };
      return insertNoticeMails(db, [mail], at);
    };
    await add('approved');
    const { headers, text } = await smtp.mail(1);
    const [, address = ''] = /^List-Unsubscribe: <(.*)>$/m.exec(headers) ?? [];
    t.match(text, address, 'users have the same link');
    const { pathname, search } = new URL(address);
    t.equal(pathname, '/plugins/unsubscribe');
    t.notMatch(Buffer.from(search.split('.')[1] ?? '', 'base64url').toString(), /approved|example/);

    const oneClick = (query: string) =>
      fetch(`${gateway.url}${pathname}${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      });
    const forged = await oneClick(`${search.slice(0, -4)}AAAA`);
    t.equal(forged.status, 400);
    t.hasStrict(await forged.json(), { code: 'MAIL_LINK_INVALID' });
    t.equal((await oneClick('')).status, 400);
    const browser = await both.signedIn(ada.email, ada.password);
    const preferences = async () => (await browser.call(PREFERENCES)).json().data;
    t.strictSame(await preferences(), { is_mailing: true, off_list: [] }, 'nothing has changed yet');
    for (const _ of [1, 2]) t.equal((await oneClick(search)).status, 204);
    t.strictSame(await preferences(), { is_mailing: true, off_list: ['approved'] });

    await add('approved');
    await add('rejected');
    t.match((await smtp.mail(2)).text, '“Grid” 1.0.0 was rejected.', 'other kinds go on');
    const change = async (body: object) => {
      const answer = await browser.call(PREFERENCES, { method: 'PUT', body: JSON.stringify(body) });
      return answer.json().data;
    };
    t.strictSame(await change({ kind: 'approved', is_on: true, language: 'es-ES' }), {
      is_mailing: true,
      off_list: [],
    });
    t.strictSame(await change({ kind: 'rejected', is_on: false }), {
      is_mailing: true,
      off_list: ['rejected'],
    });
    await add('rejected');
    await add('approved');
    t.match((await smtp.mail(3)).text, '«Grid» 1.0.0 se ha aprobado.');
    t.equal(smtp.received.length, 3);
  });
});
