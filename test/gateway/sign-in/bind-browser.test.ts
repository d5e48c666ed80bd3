import { createHash, randomBytes } from 'node:crypto';
import t from 'tap';
import { EMBEDDED, pathOf, post, startBindSite } from '../../support/bind-site.ts';
import type { Browser } from '../../support/browser.ts';
import { PUBLIC_URL } from '../../support/identity.ts';

const { gateway, newPerson, guarded, signedIn, arrive, provedAs, signInHere, linkedTo } =
  await startBindSite(t);
const DOCS = { ux_from: 'tencent_docs', login_source_id: 'docs' };
const COOKIE = '__Host-Http-bind';

t.test('a bind link of another browser binds nothing', async (t) => {
  const victim = await guarded('mara');
  const attacker = gateway.browser();
  const link = await arrive(attacker, 'mara');
  t.equal(link.pathname, '/user/login/bind');
  const id = link.searchParams.get('id');
  await victim.browser.visit(pathOf(link));
  const refused = await post(victim.browser, '/api/auth/bind', { id, code: victim.totp() });
  t.equal(refused.status, 403);
  t.hasStrict(refused.json(), { code: 'BIND_REFUSED' });
  t.strictSame(await linkedTo(victim.userId), []);
  const again = await arrive(gateway.browser(), 'mara');
  t.equal(
    again.pathname,
    '/user/login/bind',
    'the attacker gained nothing: no sign-in without the second factor',
  );
});

t.test('each tab has its own binding; altered, foreign and expired ones are refused', async (t) => {
  const owner = await newPerson({ email: 'pia@example.org' });
  const { password } = owner;
  const browser = gateway.browser();
  const links: URL[] = [];
  for (let tab = 0; tab < 5; tab += 1) links.push(await arrive(browser, 'pia'));
  await signInHere(browser, owner);
  const [oldest, second, third] = links.map((link) => link.searchParams.get('id'));
  const bind = (id: unknown) => post(browser, '/api/auth/bind', { id, password });
  t.hasStrict((await bind(oldest)).json(), { code: 'BIND_REFUSED' }, 'four are kept');
  const kept = browser.cookies.get(COOKIE) ?? '';
  t.equal(Buffer.byteLength(kept) < 3000, true);
  const altered = kept.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  const other = gateway.browser();
  await arrive(other, 'pia');
  const transaction = browser.cookies.get('__Host-Http-login') ?? 'none';
  for (const value of [altered, other.cookies.get(COOKIE) ?? '', transaction, '']) {
    browser.cookies.set(COOKIE, value);
    t.hasStrict((await bind(second)).json(), { code: 'BIND_REFUSED' });
  }
  browser.cookies.set(COOKIE, kept);
  gateway.clock.ahead = 15 * 60_000 + 1000;
  t.hasStrict((await post(browser, '/api/auth/bind/read', { id: second })).json(), { code: 'BIND_REFUSED' });
  gateway.clock.ahead = 0;
  t.equal((await bind(second)).status, 200);
  t.equal((await bind(third)).status, 200, 'an existing binding is fine as well');
});

t.test('an id in a URL or in the callback of another sign-in binds nothing', async (t) => {
  const victim = await newPerson({ email: 'rosa@example.org' });
  const { password } = victim;
  const browser = await signedIn(victim.email, password);
  const attacker = gateway.browser();
  await arrive(attacker, 'rosa');
  const earned = attacker.received.flatMap((head) => /[?&]bind=([\w-]{43})/.exec(head)?.[1] ?? []);
  const id = earned.at(-1);
  t.hasStrict((await post(browser, '/api/auth/bind', { id, password })).json(), { code: 'BIND_REFUSED' });
  const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F');
  const callback = new URL(new URL(started.headers.location ?? '').searchParams.get('redirect_uri') ?? '');
  callback.searchParams.set('bind', id ?? '');
  const led = await browser.visit(pathOf(callback), { site: 'cross-site' });
  const page = new URL(led.headers.location ?? '', PUBLIC_URL);
  const swapped = { id: page.searchParams.get('id'), password };
  await signInHere(browser, victim);
  t.hasStrict((await post(browser, '/api/auth/bind', swapped)).json(), { code: 'BIND_REFUSED' });
  t.strictSame(await linkedTo(victim.userId), []);
});

t.test('a sign-in for another page gets no id', async (t) => {
  await newPerson({ email: 'sara@example.org' });
  const browser = gateway.browser();
  const led = await arrive(browser, 'sara', `${PUBLIC_URL}/plugins/?sort=1`);
  t.equal(led.pathname, '/user/login', 'the gateway starts it again');
  t.notMatch(browser.received.join('\n'), /\/user\/login\/bind\?/);
});

t.test('bind_other: only the browser that started it can complete it', async (t) => {
  const owner = await newPerson({});
  const { password } = owner;
  const browser = await signedIn(owner.email, password);
  const begin = (more: object = {}) =>
    post(browser, '/api/auth/bind/begin', { ...DOCS, mainUrl: '/plugins/?sort=1', ...more });
  const anonymous = await post(gateway.browser(), '/api/auth/bind/begin', DOCS);
  t.hasStrict([anonymous.status, anonymous.json().code], [401, 'UNAUTHENTICATED']);
  for (const mainUrl of [
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    '/api/auth/logout',
  ]) {
    const refused = await begin({ mainUrl });
    t.hasStrict(
      [refused.status, refused.json().code, refused.json().errors],
      [400, 'VALIDATION_FAILED', [{ pointer: '/mainUrl' }]],
    );
  }
  const unknown = await begin({ login_source_id: 'oidc' });
  t.hasStrict([unknown.status, unknown.json().code], [400, 'LOGIN_SOURCE_UNKNOWN']);

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
  t.hasStrict((await post(victim, '/api/auth/bind', { id, password })).json(), { code: 'BIND_REFUSED' });
  t.equal((await post(browser, '/api/auth/bind', { id, password })).status, 200);
  t.strictSame(await linkedTo(owner.userId), [{ subject: 'tess' }]);
});

t.test('third-party sign-in by a call: its binding belongs to its browser as well', async (t) => {
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
  t.hasStrict((await post(browser, '/api/auth/bind', { id: stolen, password })).json(), {
    code: 'BIND_REFUSED',
  });
  const { id } = await handOver(browser);
  t.match(id, /^[\w-]{32}$/);
  t.equal((await post(browser, '/api/auth/bind', { id, password })).status, 200);
  t.strictSame(await linkedTo(owner.userId), [{ subject: 'vera' }]);
});
