import { createHash, randomBytes } from 'node:crypto';
import t from 'tap';
import type { MethodSettings } from '../../../../server/identity/sign-in/federation/settings-schema.ts';
import {
  ask,
  CALLBACK,
  exchange,
  ownAddress,
  PUBLIC_URL,
  SOME_MAIL,
  signUp,
  testIdentity,
} from '../../../support/identity.ts';
import { providerPages } from '../../../support/openid-browser.ts';
import { CLIENT, openIdProvider } from '../../../support/openid-provider.ts';
import { GATEWAY_TO_IDENTITY } from '../../../support/service-keys.ts';

const PAGE = `${PUBLIC_URL}/plugins/embedded`;
const DOCS = { ux_from: 'tencent_docs', login_source_id: 'docs' };

const openid = await openIdProvider(t, PUBLIC_URL, {
  callbackPath: '/user/sso/docs/callback',
  otherPaths: ['/user/sso/oidc/callback', '/plugins/embedded'],
});
await openid.start();
const client = { client_id: CLIENT.id, client_secret: CLIENT.secret };
const methods: MethodSettings[] = [
  { method: 'local' },
  {
    method: 'oauth2',
    source: 'docs',
    authorization_url: `${openid.issuer}/auth`,
    token_url: `${openid.issuer}/token`,
    userinfo_url: `${openid.issuer}/me`,
    issuer: openid.issuer,
    scope: 'openid profile email',
    fields: { subject: 'sub' },
    document_service: { app_name: 'Tencent Docs' },
    ...client,
  },
  { method: 'oidc', issuer: openid.issuer, ...client },
];
const { app, db, clock, logged } = await testIdentity(t, { methods, mail: SOME_MAIL });

/** Signs in on the provider's pages. @returns the callback address */
const visit = (goTo: unknown, as: string) => {
  const address = new URL(String(goTo));
  address.searchParams.set('login_hint', as);
  return providerPages(openid.issuer, PUBLIC_URL).follow(address.href);
};
/** Calls the callback. @returns the resulting address */
const back = async ({ pathname, search }: URL) => {
  const answer = await app.inject({
    method: 'GET',
    url: pathname + search,
    headers: { authorization: GATEWAY_TO_IDENTITY },
  });
  return new URL(String(answer.headers.location));
};
const begin = async (more: object = {}) => {
  const body = { source: 'docs', redirect_uri: CALLBACK, ...more };
  return ask(app, 'POST /user/page/sso', { body });
};
const rowOf = (userId: number) =>
  db.selectFrom('account').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow();
const codeOf = (url: URL) => url.searchParams.get('code') ?? '';

t.test('the page gets the parameters in the links of a document service', async (t) => {
  const { body } = await ask(app, 'GET /user/page/options');
  t.strictSame(body.data.document_services, [{ source: 'docs', ...DOCS, app_name: 'Tencent Docs' }]);
});

t.test('a sign-in cannot set the user of a bind', async (t) => {
  const { body } = await begin({ bind_for: '1' });
  const arrived = await back(await visit(body.data.go_to, 'bea@example.org'));
  t.equal(arrived.pathname, '/api/auth/callback');
  t.ok(arrived.searchParams.has('code'), 'signed in to a separate account, nothing is bound');
});

t.test('an account created through a document service stores that, and its channel', async (t) => {
  const typed = {
    email: 'uma@example.org',
    nick_name: 'Uma',
    password: 'violet-umbrella-tram-77',
    redirect_uri: CALLBACK,
    channel: 'docs-sidebar',
    ...DOCS,
  };
  const withoutMails = await testIdentity(t, { methods });
  const made = await ask(withoutMails.app, 'POST /user/page/sign_up', {
    body: { ...typed, app_name: 'Tencent Docs' },
  });
  t.equal(made.status, 200);
  const uma = withoutMails.db.selectFrom('account').selectAll().where('email_key', '=', typed.email);
  t.hasStrict(await uma.executeTakeFirst(), { tencent_docs: true, channel: 'docs-sidebar' });

  const { body } = await begin({ channel: 'docs-sidebar', ...DOCS });
  const there = await exchange(app, codeOf(await back(await visit(body.data.go_to, 'lin'))));
  t.hasStrict(await rowOf(there.userId), { tencent_docs: true, channel: 'docs-sidebar' });

  const plain = await begin();
  const other = await exchange(app, codeOf(await back(await visit(plain.body.data.go_to, 'kim'))));
  t.hasStrict(await rowOf(other.userId), { tencent_docs: true, channel: 'official' }, 'by its own page');
  const neither = await begin({ source: 'oidc' });
  const last = await exchange(app, codeOf(await back(await visit(neither.body.data.go_to, 'zoe'))));
  t.hasStrict(await rowOf(last.userId), { tencent_docs: false });
});

t.test('links of unknown document services are rejected', async (t) => {
  for (const wrong of [
    { ...DOCS, ux_from: 'somewhere' },
    { ...DOCS, login_source_id: 'oidc' },
    { ...DOCS, app_name: 'Your Bank' },
    { ux_from: 'tencent_docs' },
    { app_name: 'Tencent Docs' },
    { bind_other: 'bind' },
  ]) {
    const answer = await begin(wrong);
    t.equal(answer.status, 400, JSON.stringify(wrong));
    t.equal(answer.body.code, 'LOGIN_SOURCE_UNKNOWN');
  }
  t.equal((await begin({ ...DOCS, app_name: '' })).body.code, 'VALIDATION_FAILED');
  t.equal((await begin({ ...DOCS, login_source_id: 'a b' })).body.code, 'VALIDATION_FAILED');
});

t.test('binding to an existing account: started and finished by the same signed-in user', async (t) => {
  const typed = [await signUp(app), await signUp(app)] as const;
  const me = { ...typed[0], ...(await exchange(app, typed[0].code)) };
  const stranger = { ...typed[1], ...(await exchange(app, typed[1].code)) };
  const start = (body: object, bearer?: string) =>
    ask(app, 'POST /3rd-party/bind/begin', {
      body: { redirect_uri: CALLBACK, ...body },
      ...(bearer !== undefined && { bearer }),
    });
  t.equal((await start(DOCS)).status, 401);
  t.equal((await start({}, me.access)).body.code, 'LOGIN_SOURCE_UNKNOWN');
  for (const redirect_uri of ['https://evil.example/api/auth/callback', `${PUBLIC_URL}/plugins/`]) {
    const refused = await start({ ...DOCS, redirect_uri }, me.access);
    t.equal(refused.body.code, 'REDIRECT_URI_REFUSED', redirect_uri);
  }
  const onward = { mainUrl: '/plugins/?sort=1', txDocFolderId: 'f 1' };
  /** As the provider's user `name`. @returns the callback with the id of the bind */
  const proved = async (person: typeof me, name: string) => {
    const started = await start({ ...DOCS, ...onward }, person.access);
    return back(await visit(started.body.data.go_to, name));
  };
  const bind = ({ access, password }: typeof me, page: URL, redirect_uri = CALLBACK) =>
    ask(app, 'POST /3rd-party/bind', {
      bearer: access,
      body: { id: page.searchParams.get('bind'), redirect_uri, password },
    });
  const page = await proved(me, 'mia');
  t.equal(page.pathname, '/api/auth/callback');
  t.strictSame([...page.searchParams.keys()], ['nonce', 'bind'], 'the gateway knows the rest');
  t.equal((await bind(stranger, page)).body.code, 'BIND_REFUSED', 'started by another user');
  const otherWay = `${PUBLIC_URL}/api/auth/callback?nonce=another`;
  t.equal((await bind(me, page, otherWay)).body.code, 'BIND_REFUSED', 'what another browser has started');
  t.equal((await bind(me, page)).status, 200);
  t.equal((await bind(me, page)).body.code, 'BIND_REFUSED', 'once');
  const { body } = await begin();
  const again = await exchange(app, codeOf(await back(await visit(body.data.go_to, 'mia'))));
  t.equal(again.userId, me.userId);

  t.equal((await bind(me, await proved(me, 'mia'))).status, 200, 'bound already is as good');
  t.equal((await bind(stranger, await proved(stranger, 'mia'))).body.code, 'BIND_REFUSED');

  const denied = await visit((await start({ ...DOCS, ...onward }, me.access)).body.data.go_to, 'mia');
  denied.searchParams.set('code', 'another');
  const refused = await back(denied);
  t.equal(refused.pathname, '/user/login/bind');
  t.strictSame(Object.fromEntries(refused.searchParams), { ...DOCS, ...onward, sso_error: 'SSO_REFUSED' });
});

t.test(
  'an e-mail conflict returns to the gateway; from other addresses the gateway starts again',
  async (t) => {
    await ownAddress(db, (await signUp(app, { email: 'ravi@example.org' })).email);
    const { body } = await begin();
    const clash = await back(await visit(body.data.go_to, 'ravi'));
    t.equal(clash.pathname, '/api/auth/callback');
    t.equal(clash.searchParams.get('nonce'), 'n0nce');
    t.match(clash.searchParams.get('bind'), /^[\w-]{43}$/);
    t.notOk(clash.searchParams.has('code'));
    const before = await db.selectFrom('pending_bind').select('id_hash').execute();
    const elsewhere = await begin({ redirect_uri: `${PUBLIC_URL}/plugins/?code=x&sort=1` });
    const page = await back(await visit(elsewhere.body.data.go_to, 'ravi'));
    t.equal(page.href, `${PUBLIC_URL}/api/auth/login?return_to=%2Fplugins%2F%3Fsort%3D1`);
    const after = await db.selectFrom('pending_bind').select('id_hash').execute();
    t.equal(after.length, before.length, 'and no id is handed out');
  },
);

t.test('a client sends the code of its own sign-in', async (t) => {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const start = (more: object = {}) => {
    const body = { source: 'docs', redirect_uri: PAGE, challenge, ...more };
    return ask(app, 'POST /user/page/third_party', { body });
  };
  const returned = async (as: string, more?: object) => {
    const url = await visit((await start(more)).body.data.go_to, as);
    return Object.fromEntries(url.searchParams);
  };
  const handOver = (body: object, source = 'docs') =>
    ask(app, `POST /3rd-party/oauth2/${source}/auth`, { body: { verifier, ...body } });

  const first = await returned('ivy', { channel: 'sidebar', ...DOCS });
  const answer = await handOver(first);
  t.equal(answer.status, 200);
  t.match(answer.body.data, {
    access_token: String,
    refresh_token: String,
    login_method: 'oauth2',
    email: 'ivy@example.org',
    channel: 'sidebar',
    tencent_docs: true,
  });
  t.equal((await handOver(first)).body.code, 'SSO_STATE_INVALID', 'once');
  for (const secret of [first.code, first.state, verifier]) t.notMatch(logged(), secret);

  const stolen = await returned('ivy');
  const foreign = await handOver({ ...stolen, verifier: 'x'.repeat(43) });
  t.equal(foreign.status, 400, 'started by another client');
  t.equal(foreign.body.code, 'SSO_STATE_INVALID');
  t.equal((await handOver(stolen)).body.code, 'SSO_STATE_INVALID', 'one try');
  t.equal((await handOver({ ...(await returned('ivy')), code: 'another' })).body.code, 'SSO_REFUSED');
  const late = await returned('ivy');
  clock.now += 11 * 60_000;
  t.equal((await handOver(late)).body.code, 'SSO_STATE_INVALID', 'too late');
  clock.now -= 11 * 60_000;

  const callback = await returned('ivy');
  const query = new URLSearchParams({ code: callback.code ?? '', state: callback.state ?? '' });
  const browser = await back(new URL(`${PUBLIC_URL}/user/sso/docs/callback?${query}`));
  t.equal(browser.searchParams.get('login_error'), 'SSO_STATE_INVALID', 'no browser can finish it');

  await ownAddress(db, (await signUp(app, { email: 'noor@example.org' })).email);
  const clash = await handOver(await returned('noor'));
  t.match(clash.body.data, { need_bind: true, id: /^[\w-]{43}$/ });
  t.notOk('access_token' in clash.body.data);

  for (const [more, status, code] of [
    [{ source: 'local' }, 404, 'NOT_FOUND'],
    [{ source: 'nope' }, 404, 'NOT_FOUND'],
    [{ redirect_uri: 'https://evil.example/' }, 400, 'REDIRECT_URI_REFUSED'],
    [{ redirect_uri: `${PAGE}?a=1` }, 400, 'REDIRECT_URI_REFUSED'],
    [{ challenge: 'short' }, 400, 'VALIDATION_FAILED'],
    [{ ...DOCS, login_source_id: 'x' }, 400, 'LOGIN_SOURCE_UNKNOWN'],
  ] as const) {
    const refused = await start(more);
    t.equal(refused.status, status, JSON.stringify(more));
    t.equal(refused.body.code, code);
  }
  t.equal((await handOver(stolen, 'nope')).status, 404);
  for (const body of [
    {},
    { code: 'c' },
    { code: 'c', state: 's', verifier: 'v' },
    { code: '', state: 's' },
  ]) {
    t.equal((await handOver(body)).body.code, 'VALIDATION_FAILED', JSON.stringify(body));
  }
});
