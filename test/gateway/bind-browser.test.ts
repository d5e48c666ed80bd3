import { createHash, randomBytes } from 'node:crypto';
import { TOTP } from 'otpauth';
import t from 'tap';
import { type Browser, loginParameters, type Received } from '../support/browser.ts';
import { startBoth } from '../support/gateway-with-identity.ts';
import { ownAddress, PUBLIC_URL, SOME_MAIL } from '../support/identity.ts';
import { providerPages } from '../support/openid-browser.ts';
import { CLIENT, openIdProvider } from '../support/openid-provider.ts';

const EMBEDDED = '/plugins/embedded';
const openid = await openIdProvider(t, PUBLIC_URL, {
  callbackPath: '/user/sso/oidc/callback',
  otherPaths: ['/user/sso/docs/callback', EMBEDDED],
});
await openid.start();
const client = { client_id: CLIENT.id, client_secret: CLIENT.secret };
const { gateway, db, clock, signedIn, ...site } = await startBoth(t, {
  mail: SOME_MAIL,
  methods: [
    { method: 'local' },
    { method: 'oidc', label: 'Ada ID', issuer: openid.issuer, ...client },
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
  ],
});
const DOCS = { ux_from: 'tencent_docs', login_source_id: 'docs' };
/** Milliseconds for which an authenticator app shows a code. */
const STEP = 30_000;
const COOKIE = '__Host-Http-bind';

const post = (browser: Browser, path: string, body: unknown): Promise<Received> =>
  browser.call(path, { method: 'POST', body: JSON.stringify(body) });
const pathOf = ({ pathname, search }: URL): string => pathname + search;

/** Through the provider's pages as `name`, from where a call has said to go; answers where they lead back to. */
function provedAs(name: string, begun: Received): Promise<URL> {
  const there = new URL(String(begun.json().data.go_to));
  there.searchParams.set('login_hint', name);
  return providerPages(openid.issuer, PUBLIC_URL).follow(there.href);
}

/** Signs in by the provider as `name`, whose address there is that of `email`; answers where the browser is led at last. */
async function arrive(browser: Browser, name: string, redirectUri?: string): Promise<URL> {
  clock.now = Date.now();
  const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F');
  const begun = await post(browser, '/user/page/sso', {
    ...loginParameters(started),
    source: 'oidc',
    ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
  });
  let next = await provedAs(name, begun);
  for (let hop = 0; hop < 3; hop += 1) {
    const { headers } = await browser.visit(pathOf(next), { site: 'cross-site' });
    if (headers.location === undefined) break;
    next = new URL(headers.location, PUBLIC_URL);
  }
  return next;
}

/** Somebody with a password who owns their address. */
async function newPerson(typed: Parameters<typeof site.newPerson>[0]) {
  const person = await site.newPerson(typed);
  await ownAddress(db, person.email);
  return person;
}

/** Somebody with a second factor, signed in; the provider knows a person of the same address. */
async function guarded(name: string) {
  const person = await newPerson({ email: `${name}@example.org` });
  const browser = await signedIn(person.email, person.password);
  const begun = await post(browser, '/user/account/second_factor/begin', {});
  const secret = String(begun.json().data.secret);
  // Codes of three steps are good at one moment, each once and in their order.
  let step = 0;
  const totp = (): string => {
    step = Math.max(step + 1, Math.floor(clock.now / STEP) - 1);
    return new TOTP({ secret }).generate({ timestamp: step * STEP });
  };
  const confirmed = await post(browser, '/user/account/second_factor/confirm', { code: totp() });
  if (confirmed.status !== 200) throw new Error(confirmed.text);
  return { ...person, browser, totp };
}
/** Signs somebody in, in a browser that has earned something before. */
async function signInHere(
  browser: Browser,
  { email, password, totp }: { email: string; password: string; totp?: () => string },
): Promise<void> {
  const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F');
  const login = loginParameters(started);
  let answer = await post(browser, '/user/page/sign_in', { account: email, password, ...login });
  if (totp) {
    const challenge = Object(answer.json().data.challenge).token;
    answer = await post(browser, '/user/page/second_factor', { challenge, code: totp(), ...login });
  }
  const next = new URL(String(answer.json().data.continue_to));
  await browser.visit(pathOf(next), { site: 'same-origin' });
}
const linkedTo = (userId: number) =>
  db.selectFrom('external_identity').select('subject').where('user_id', '=', userId).execute();

t.test('a bind link that another browser has earned links nothing', async (t) => {
  const victim = await guarded('mara');
  const attacker = gateway.browser();
  const link = await arrive(attacker, 'mara');
  t.equal(link.pathname, '/user/login/bind');
  const id = link.searchParams.get('id');
  await victim.browser.visit(pathOf(link));
  const refused = await post(victim.browser, '/api/auth/bind', { id, code: victim.totp() });
  t.equal(refused.status, 403);
  t.match(refused.json(), { code: 'BIND_REFUSED' });
  t.strictSame(await linkedTo(victim.userId), []);
  const again = await arrive(gateway.browser(), 'mara');
  t.equal(
    again.pathname,
    '/user/login/bind',
    'the attacker is no further: nobody is signed in without the second factor',
  );
});

t.test('the browser that has earned it links it, once and with a proof', async (t) => {
  const owner = await guarded('noor');
  const browser = gateway.browser();
  const link = await arrive(browser, 'noor');
  await signInHere(browser, owner);
  const id = link.searchParams.get('id');
  t.match(id, /^[\w-]{32}$/);
  const set = browser.received.filter((head) => head.includes(`${COOKIE}=`)).at(-1) ?? '';
  t.match(set, /__Host-Http-bind=[\w.-]+; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Strict/);
  const shown = await post(browser, '/api/auth/bind/read', { id });
  t.strictSame(shown.json().data, {
    label: 'Ada ID',
    method: 'oidc',
    name: 'noor Lovelace',
    email: 'noor@example.org',
    avatar_url: '',
    proof: 'code',
  });
  const bare = await post(browser, '/api/auth/bind', { id });
  t.match([bare.status, bare.json().code], [403, 'REAUTHENTICATION_REQUIRED']);
  const byPassword = await post(browser, '/api/auth/bind', { id, password: owner.password });
  t.match([byPassword.status, byPassword.json().code], [403, 'REAUTHENTICATION_REQUIRED']);
  const wrong = await post(browser, '/api/auth/bind', { id, code: '000000' });
  t.match([wrong.status, wrong.json().code], [422, 'SECOND_FACTOR_WRONG']);
  t.strictSame(await linkedTo(owner.userId), []);
  const bound = await post(browser, '/api/auth/bind', { id, code: owner.totp() });
  t.equal(bound.status, 200);
  t.strictSame(bound.json().data, {});
  t.strictSame(await linkedTo(owner.userId), [{ subject: 'noor' }]);
  t.equal(browser.cookies.has(COOKIE), false, 'forgotten');
  t.match((await post(browser, '/api/auth/bind', { id })).json(), { code: 'BIND_REFUSED' });
});

t.test('wrong passwords are counted by the account and told with a time', async (t) => {
  const owner = await newPerson({ email: 'olga@example.org' });
  const browser = gateway.browser();
  const id = (await arrive(browser, 'olga')).searchParams.get('id');
  await signInHere(browser, owner);
  for (let tries = 0; tries < 5; tries += 1) {
    const wrong = await post(browser, '/api/auth/bind', { id, password: 'wrong' });
    t.match([wrong.status, wrong.json().code], [422, 'PASSWORD_WRONG']);
  }
  const early = await post(browser, '/api/auth/bind', { id, password: owner.password });
  t.match([early.status, early.json().code, early.headers['retry-after']], [429, 'TOO_MANY_REQUESTS', '2']);
  t.strictSame(await linkedTo(owner.userId), []);
});

t.test('tabs have one each; altered, foreign and old ones are worth nothing', async (t) => {
  const owner = await newPerson({ email: 'pia@example.org' });
  const { password } = owner;
  const browser = gateway.browser();
  const links: URL[] = [];
  for (let tab = 0; tab < 5; tab += 1) links.push(await arrive(browser, 'pia'));
  await signInHere(browser, owner);
  const [oldest, second, third] = links.map((link) => link.searchParams.get('id'));
  const bind = (id: unknown) => post(browser, '/api/auth/bind', { id, password });
  t.match((await bind(oldest)).json(), { code: 'BIND_REFUSED' }, 'four are kept');
  const kept = browser.cookies.get(COOKIE) ?? '';
  t.equal(Buffer.byteLength(kept) < 3000, true);
  const altered = kept.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  const other = gateway.browser();
  await arrive(other, 'pia');
  const transaction = browser.cookies.get('__Host-Http-login') ?? 'none';
  for (const value of [altered, other.cookies.get(COOKIE) ?? '', transaction, '']) {
    browser.cookies.set(COOKIE, value);
    t.match((await bind(second)).json(), { code: 'BIND_REFUSED' });
  }
  browser.cookies.set(COOKIE, kept);
  gateway.clock.ahead = 15 * 60_000 + 1000;
  t.match((await post(browser, '/api/auth/bind/read', { id: second })).json(), { code: 'BIND_REFUSED' });
  gateway.clock.ahead = 0;
  t.equal((await bind(second)).status, 200);
  t.equal((await bind(third)).status, 200, 'bound already is as good');
});

t.test('an id in an address, or in the callback of another sign-in, links nothing', async (t) => {
  const victim = await newPerson({ email: 'rosa@example.org' });
  const { password } = victim;
  const browser = await signedIn(victim.email, password);
  const attacker = gateway.browser();
  await arrive(attacker, 'rosa');
  const earned = attacker.received.flatMap((head) => /[?&]bind=([\w-]{43})/.exec(head)?.[1] ?? []);
  const id = earned.at(-1);
  t.match((await post(browser, '/api/auth/bind', { id, password })).json(), { code: 'BIND_REFUSED' });
  const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F');
  const callback = new URL(new URL(started.headers.location ?? '').searchParams.get('redirect_uri') ?? '');
  callback.searchParams.set('bind', id ?? '');
  const led = await browser.visit(pathOf(callback), { site: 'cross-site' });
  const page = new URL(led.headers.location ?? '', PUBLIC_URL);
  const swapped = { id: page.searchParams.get('id'), password };
  await signInHere(browser, victim);
  t.match((await post(browser, '/api/auth/bind', swapped)).json(), { code: 'BIND_REFUSED' });
  t.strictSame(await linkedTo(victim.userId), []);
});

t.test('a sign-in for any other page hands out no id', async (t) => {
  await newPerson({ email: 'sara@example.org' });
  const browser = gateway.browser();
  const led = await arrive(browser, 'sara', `${PUBLIC_URL}/plugins/?sort=1`);
  t.equal(led.pathname, '/user/login', 'it begins once more, by the gateway');
  t.notMatch(browser.received.join('\n'), /\/user\/login\/bind\?/);
});

t.test('bind_other: only the browser that has begun it ends it', async (t) => {
  const owner = await newPerson({});
  const { password } = owner;
  const browser = await signedIn(owner.email, password);
  const begin = (more: object = {}) =>
    post(browser, '/api/auth/bind/begin', { ...DOCS, mainUrl: '/plugins/?sort=1', ...more });
  const anonymous = await post(gateway.browser(), '/api/auth/bind/begin', DOCS);
  t.match([anonymous.status, anonymous.json().code], [401, 'UNAUTHENTICATED']);
  for (const mainUrl of [
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    '/api/auth/logout',
  ]) {
    const refused = await begin({ mainUrl });
    t.match(
      [refused.status, refused.json().code, refused.json().errors],
      [400, 'VALIDATION_FAILED', [{ pointer: '/mainUrl' }]],
    );
  }
  const unknown = await begin({ login_source_id: 'oidc' });
  t.match([unknown.status, unknown.json().code], [400, 'LOGIN_SOURCE_UNKNOWN']);

  const victim = await signedIn(owner.email, password);
  const sent = await provedAs('tess', await begin());
  const there = await victim.visit(pathOf(sent), { site: 'cross-site' });
  const callback = new URL(there.headers.location ?? '', PUBLIC_URL);
  t.equal(callback.pathname, '/api/auth/callback');
  const stopped = await victim.visit(pathOf(callback), { site: 'cross-site' });
  t.equal(stopped.status, 400);
  t.match(stopped.text, 'LOGIN_TRANSACTION_INVALID');

  const own = await browser.visit(pathOf(await provedAs('tess', await begin({ txDocFolderId: 'f1' }))));
  const led = await browser.visit(pathOf(new URL(own.headers.location ?? '', PUBLIC_URL)));
  const page = new URL(led.headers.location ?? '', PUBLIC_URL);
  const { id, ...rest } = Object.fromEntries(page.searchParams);
  t.equal(page.pathname, '/user/login/bind');
  t.strictSame(rest, { mainUrl: '/plugins/?sort=1', txDocFolderId: 'f1' });
  t.match((await post(victim, '/api/auth/bind', { id, password })).json(), { code: 'BIND_REFUSED' });
  t.equal((await post(browser, '/api/auth/bind', { id, password })).status, 200);
  t.strictSame(await linkedTo(owner.userId), [{ subject: 'tess' }]);
});

t.test('a sign-in that a page hands over: its bind is its browser’s as well', async (t) => {
  const owner = await newPerson({ email: 'vera@example.org' });
  const { password } = owner;
  const handOver = async (browser: Browser) => {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const begun = await post(browser, '/user/page/third_party', {
      source: 'docs',
      redirect_uri: PUBLIC_URL + EMBEDDED,
      challenge,
    });
    const { searchParams } = await provedAs('vera', begun);
    const { code, state, iss } = Object.fromEntries(searchParams);
    const answer = await post(browser, '/api/auth/third-party/docs', { code, state, verifier, iss });
    return Object(answer.json().data.answer) as { need_bind: boolean; id: string };
  };
  const { need_bind, id: stolen } = await handOver(gateway.browser());
  t.equal(need_bind, true);
  const browser = await signedIn(owner.email, password);
  t.match((await post(browser, '/api/auth/bind', { id: stolen, password })).json(), { code: 'BIND_REFUSED' });
  const { id } = await handOver(browser);
  t.match(id, /^[\w-]{32}$/);
  t.equal((await post(browser, '/api/auth/bind', { id, password })).status, 200);
  t.strictSame(await linkedTo(owner.userId), [{ subject: 'vera' }]);
});
