import t from 'tap';
import { contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { memberRoutes } from '../../shared/routes/member.ts';
import type { Browser } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { startBoth } from '../support/gateway-with-identity.ts';
import { ADMIN } from '../support/identity.ts';

const ROUTES = Object.values<Route>(contract).filter(({ path }) => path.startsWith('/user/member/'));

const isSignedIn = async (browser: Browser) => (await browser.call('/api/auth/userinfo')).status === 200;
const put = (browser: Browser, path: string, body: unknown) =>
  browser.call(path, { method: 'PUT', body: JSON.stringify(body) });
const post = (browser: Browser, path: string, body: unknown) =>
  browser.call(path, { method: 'POST', body: JSON.stringify(body) });

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

t.test('other roles are refused', async (t) => {
  const { gateway, db, signedIn, newPerson } = await startBoth(t);
  const person = await newPerson();
  const member = await signedIn(person.email, person.password);
  const root = await signedIn(ADMIN.email, ADMIN.password);
  const forged = { 'x-page-path': '/plugins/backstage-index/members', authorization: 'Bearer x' };
  const body = JSON.stringify({ user_id: person.userId, role: 1, is_disabled: true });
  for (const { method, path } of ROUTES) {
    const sending = { method, headers: forged, ...(method !== 'GET' && { body }) };
    const anonymous = await gateway.browser().call(path, sending);
    t.hasStrict([anonymous.status, anonymous.json().code], [401, 'UNAUTHENTICATED'], path);
    const refused = await member.call(path, sending);
    t.hasStrict([refused.status, refused.json().code], [403, 'FORBIDDEN'], path);
    const foreign = await root.call(path, { ...sending, headers: { 'sec-fetch-site': 'cross-site' } });
    t.hasStrict([foreign.status, foreign.json().code], [403, 'CSRF_REFUSED'], path);
    const bare = await root.call(path, { ...sending, headers: { 'x-requested-with': '' } });
    t.equal(bare.json().code, 'CSRF_REFUSED', path);
  }
  const account = await db
    .selectFrom('account')
    .selectAll()
    .where('user_id', '=', person.userId)
    .executeTakeFirstOrThrow();
  t.hasStrict(account, { role: 0, disabled_at: null });
  t.ok(await isSignedIn(member));
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
      const answer = await gateway.browser().call(path, { method, ...(method !== 'GET' && { body: '{}' }) });
      t.equal(answer.status, status, path);
    }
    t.strictSame(gateway.identity.requests, [], 'no request');
  });
}

t.test('every members call is for administrators and is answered by identity', async (t) => {
  t.ok(ROUTES.length > Object.keys(memberRoutes).length, 'including those of passwords');
  for (const { access, service } of ROUTES) t.strictSame([access, service], ['admin', 'identity']);
});
