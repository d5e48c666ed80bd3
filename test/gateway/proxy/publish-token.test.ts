import { randomBytes } from 'node:crypto';
import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import type { Route } from '../../../shared/route.ts';
import { type Sending, send } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';

const PUBLISH = '/api/cmt/plugin';
const secretOf = (): string => `psq_${randomBytes(32).toString('base64url')}`;

async function publish(
  gateway: TestGateway,
  secret: string,
  { path = PUBLISH, method = 'POST', headers = {}, body = 'form' }: Sending & { path?: string } = {},
) {
  const sent = { authorization: `Bearer ${secret}`, 'content-type': 'multipart/form-data; boundary=x' };
  return send(gateway.url, path, { method, headers: { ...sent, ...headers }, body });
}

async function openGateway(t: Parameters<typeof startGateway>[0]): Promise<TestGateway> {
  const gateway = await startGateway(t);
  for (const method of ['POST', 'PUT', 'DELETE', 'GET'])
    gateway.community.on(`${method} ${PUBLISH}`, () => ({}));
  return gateway;
}

t.test('a publish token is accepted on publishing calls, without the CSRF header', async (t) => {
  const gateway = await openGateway(t);
  const secret = secretOf();
  for (const method of ['POST', 'PUT']) {
    const answer = await publish(gateway, secret, { method, path: `${PUBLISH}?dry_run=1` });
    t.equal(answer.status, 200);
    t.strictSame(answer.setCookies, []);
    t.equal(answer.headers['cache-control'], 'no-store');
    const [seen] = gateway.community.seen(`${method} ${PUBLISH}`);
    t.equal(seen?.headers.authorization, `Bearer ${secret}`);
    t.equal(seen?.target, `${PUBLISH}?dry_run=1`);
    t.equal(seen?.body.toString(), 'form');
  }
  const lower = await publish(gateway, secret, { headers: { authorization: `bearer  ${secret}` } });
  t.equal(lower.status, 200, 'the scheme is case-insensitive');
});

t.test("what the service says of a token is the client's to know", async (t) => {
  const gateway = await openGateway(t);
  const envelope = { code: 'TOKEN_INVALID', message: 'The token is not valid.' };
  gateway.community.on(`POST ${PUBLISH}`, () => stubAnswer(401, envelope));
  const answer = await publish(gateway, 'psq_cut-short');
  t.equal(answer.status, 401);
  t.strictSame(answer.json(), envelope);
  t.equal(gateway.community.seen(`POST ${PUBLISH}`).length, 1, 'called once, no refresh');
  t.equal(gateway.identity.requests.length, 0);
});

t.test('everywhere else the Authorization header is dropped', async (t) => {
  const gateway = await openGateway(t);
  gateway.community.otherwise(() => ({}));
  gateway.helpcenter.otherwise(() => ({}));
  const secret = secretOf();
  const proof = { 'x-requested-with': 'plugin-square' };
  for (const [name, route] of Object.entries<Route>(contract)) {
    if (route.service !== 'community' || route.publishToken || route.cache !== undefined) continue;
    const path = route.path.replace('{key}', 'abcdefgh').replace('{name}', `${'0'.repeat(64)}.webp`);
    const bare = await publish(gateway, secret, { method: route.method, path });
    const proven = await publish(gateway, secret, { method: route.method, path, headers: proof });
    // All help-center paths except manager calls are proxied; the service refuses them.
    const isPassed = path.startsWith('/api/helpcenter/') && !path.includes('/manager/');
    const isOpen = route.access === 'all' || isPassed;
    t.equal(bare.status, isOpen && route.file ? 200 : 403, `${name} without the header`);
    t.equal(proven.status, isOpen ? 200 : 401, `${name} with the header`);
  }
  await publish(gateway, secret, { path: '/api/helpcenter/article', method: 'GET', headers: proof });
  await publish(gateway, secret, { path: '/api/cmt/plugin/list', method: 'GET', headers: proof });
  const seen = [...gateway.community.requests, ...gateway.helpcenter.requests];
  t.ok(seen.length > 2);
  for (const { headers, target } of seen) t.equal(headers.authorization, undefined, target);
});

const refused: [title: string, sending: Sending, code: string, status: number][] = [
  ['from a page of another site', { headers: { origin: 'https://evil.example' } }, 'CSRF_REFUSED', 403],
  ['from a sandboxed frame', { headers: { origin: 'null' } }, 'CSRF_REFUSED', 403],
  ['fetched across sites', { headers: { 'sec-fetch-site': 'cross-site' } }, 'CSRF_REFUSED', 403],
  ['from a sibling host', { headers: { 'sec-fetch-site': 'same-site' } }, 'CSRF_REFUSED', 403],
  ['beside a session cookie', { headers: { cookie: 'a=b; session=1.x' } }, 'CSRF_REFUSED', 403],
  ['beside a stale part of a session cookie', { headers: { cookie: 'session-1=x' } }, 'CSRF_REFUSED', 403],
  ['of another kind', { headers: { authorization: 'Bearer eyJhbGciOi.J9' } }, 'CSRF_REFUSED', 403],
  ['in Basic', { headers: { authorization: `Basic ${secretOf()}` } }, 'CSRF_REFUSED', 403],
  ['with something behind it', { headers: { authorization: `Bearer ${secretOf()} x` } }, 'CSRF_REFUSED', 403],
  ['longer than any', { headers: { authorization: `Bearer psq_${'x'.repeat(101)}` } }, 'CSRF_REFUSED', 403],
  ['for a method that is not there', { method: 'PATCH' }, 'CSRF_REFUSED', 403],
];
for (const [title, sending, code, status] of refused) {
  t.test(`not forwarded: a token ${title}`, async (t) => {
    const gateway = await openGateway(t);
    const answer = await publish(gateway, secretOf(), sending);
    t.equal(answer.status, status);
    t.hasStrict(answer.json(), { code });
    t.strictSame(gateway.community.requests, [], 'the service was not called');
  });
}

t.test('a session overrides a publish token', async (t) => {
  const gateway = await openGateway(t);
  const browser = gateway.browser();
  await browser.signIn();
  const secret = secretOf();
  const answer = await browser.call(PUBLISH, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: '{}',
  });
  t.equal(answer.status, 200);
  const [seen] = gateway.community.seen(`POST ${PUBLISH}`);
  t.match(seen?.headers.authorization, /^Bearer (?!psq_)/);
});

t.test('a Connection header does not remove the token', async (t) => {
  const gateway = await openGateway(t);
  const secret = secretOf();
  await publish(gateway, secret, { headers: { connection: 'close, authorization' } });
  t.equal(gateway.community.requests[0]?.headers.authorization, `Bearer ${secret}`);
});

t.test('over https the secure cookie counts as the session', async (t) => {
  const gateway = await startGateway(t, { settings: { PUBLIC_URL: 'https://plugins.example' } });
  gateway.community.on(`POST ${PUBLISH}`, () => ({}));
  const withCookie = (cookie: string) => publish(gateway, secretOf(), { headers: { cookie } });
  t.equal((await withCookie('__Host-Http-session=1.x')).status, 403);
  t.equal((await withCookie('session=of-another-program')).status, 200);
});

t.test('uploads are counted by token and by address', async (t) => {
  const gateway = await startGateway(t, { settings: { RATE_LIMIT_FACTOR: '0.02' } });
  gateway.community.on(`POST ${PUBLISH}`, () => ({}));
  const [first, second] = [secretOf(), secretOf()];
  const statuses: number[] = [];
  for (const secret of [first, first, first, second, second, second]) {
    statuses.push((await publish(gateway, secret)).status);
  }
  t.strictSame(statuses, [200, 200, 429, 200, 200, 429], 'two per token');
  t.hasStrict(
    gateway.lines().filter(({ event }) => event === 'rate_limited'),
    [
      { limit: 'upload', by: 'token' },
      { limit: 'upload', by: 'token' },
    ],
  );
  const others: number[] = [];
  for (let index = 0; index < 12; index += 1) others.push((await publish(gateway, secretOf())).status);
  t.ok(others.includes(429), 'invented tokens do not help');
  t.hasStrict(
    gateway.lines().findLast(({ event }) => event === 'rate_limited'),
    { by: 'address' },
  );
});

t.test('no token in the log, the figures or any answer', async (t) => {
  const gateway = await openGateway(t);
  const secrets = [secretOf(), secretOf(), secretOf()];
  const [good = '', bad = '', lost = ''] = secrets;
  const answers = [
    await publish(gateway, good),
    await publish(gateway, good, { path: '/api/cmt/plugin/user' }),
    await publish(gateway, bad, { headers: { origin: 'https://evil.example' } }),
    await publish(gateway, bad, { path: '/api/nothing' }),
  ];
  gateway.community.on(`POST ${PUBLISH}`, () => stubAnswer(500, { code: 'INTERNAL' }));
  answers.push(await publish(gateway, lost));
  await gateway.community.stop();
  answers.push(await publish(gateway, lost));
  t.equal(answers.at(-1)?.status, 502);
  await gateway.logged();
  const out = [
    ...answers.flatMap(({ headers, text }) => [JSON.stringify(headers), text]),
    gateway.logText(),
    await gateway.registry.metrics(),
  ].join('\n');
  t.ok(gateway.lines().some(({ route }) => route === PUBLISH));
  t.notMatch(out, 'psq_');
  for (const secret of secrets) t.notOk(out.includes(secret.slice(4, 24)));
});
