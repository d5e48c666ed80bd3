import t from 'tap';
import { LIMITS } from '../../server/gateway/rate-limit.ts';
import { contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import type { Browser, Received } from '../support/browser.ts';
import { send } from '../support/browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { NO_REDIS, redisProgram, startRedis } from '../support/redis.ts';
import { noticed } from '../support/two-gateways.ts';

const MINUTE = 60_000;
const REPORT = '/api/cmt/plugin/report';
const LIST = '/api/cmt/plugin/list';
/** Small limits: 6 anonymous calls a minute, 3 sign-ins and code exchanges, 1 report of a session and of an address. */
const TIGHT = { RATE_LIMIT_FACTOR: '0.005' };
const ANONYMOUS = 6;
const SIGN_INS = 3;

type Setup = Parameters<typeof startGateway>[1];

async function tightGateway(t: Parameters<typeof startGateway>[0], setup: Setup = {}): Promise<TestGateway> {
  const gateway = await startGateway(t, { ...setup, settings: { ...TIGHT, ...setup?.settings } });
  gateway.community.on(`GET ${LIST}`, () => ({ total: 0 }));
  gateway.community.on(`POST ${REPORT}`, () => ({}));
  return gateway;
}

async function times(count: number, work: (index: number) => Promise<Received>): Promise<Received[]> {
  const answers: Received[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await work(index));
  return answers;
}

const list = (gateway: TestGateway, headers: Record<string, string> = {}): Promise<Received> =>
  send(gateway.url, LIST, { headers: { 'x-requested-with': 'plugin-square', ...headers } });
const report = (browser: Browser): Promise<Received> => browser.call(REPORT, { method: 'POST', body: '{}' });
const statuses = (answers: readonly Received[]): number[] => answers.map(({ status }) => status);
const refusals = (answers: readonly Received[]): number =>
  statuses(answers).filter((status) => status === 429).length;

t.test('calls without a session are limited by address; the window ends', async (t) => {
  const gateway = await tightGateway(t);
  const answers = await times(ANONYMOUS + 2, () => list(gateway));
  t.strictSame(statuses(answers), [200, 200, 200, 200, 200, 200, 429, 429]);
  const refused = answers.at(-1);
  t.strictSame(refused?.json(), {
    code: 'TOO_MANY_REQUESTS',
    message: 'Too many requests. Try again later.',
  });
  const wait = Number(refused?.headers['retry-after']);
  t.ok(wait > 0 && wait <= 60, `Retry-After is ${wait} s`);
  t.equal(refused?.headers['cache-control'], 'no-store');
  t.strictSame(
    Object.keys(refused?.headers ?? {}).filter((name) => name.startsWith('x-ratelimit')),
    [],
  );
  t.match(
    gateway.lines().filter(({ event }) => event === 'rate_limited'),
    [{ limit: 'anonymous', by: 'address', reqId: String }, {}],
  );
  t.equal((await send(gateway.url, '/plugins/')).status, 429, 'no page is rendered for a limited client');
  gateway.clock.ahead = MINUTE + 1;
  t.equal((await list(gateway)).status, 200);
});

t.test('every call of the contract counts, whatever its path', async (t) => {
  const gateway = await tightGateway(t);
  const asked = Object.values<Route>(contract).filter(
    ({ access, path, rateLimit }) => access !== 'all' && rateLimit === undefined && !path.includes('{'),
  );
  t.ok(asked.some(({ path }) => path.startsWith('/user/session/')));
  for (const { method, path } of asked) {
    gateway.clock.ahead += MINUTE + 1;
    const headers = { 'x-requested-with': 'plugin-square' };
    const answers = await times(ANONYMOUS + 1, () => send(gateway.url, path, { method, headers }));
    t.equal(refusals(answers), 1, `${method} ${path}`);
    t.equal(answers.at(-1)?.status, 429, `${method} ${path}`);
  }
});

t.test('client headers and invalid cookies do not change the count', async (t) => {
  const gateway = await tightGateway(t);
  const games: Record<string, string>[] = [
    { 'x-forwarded-for': '203.0.113.7' },
    { forwarded: 'for=203.0.113.8' },
    { 'x-real-ip': '203.0.113.9' },
    { 'cf-connecting-ip': '203.0.113.10' },
    { 'true-client-ip': '203.0.113.11' },
    { cookie: 'session=1.x.AAAA' },
    { cookie: 'session=1.x.BBBB' },
    { authorization: 'Bearer abc' },
    { 'user-agent': 'GoogleHC/1.0' },
    { 'x-request-id': 'other' },
  ];
  const answers = await times(games.length, (index) => list(gateway, games[index]));
  t.equal(refusals(answers), games.length - ANONYMOUS);
  for (const path of [`${LIST}?a=1`, '/api/cmt/%70lugin/list', '/api/cmt/plugin/tag/list', '/api/nothing']) {
    const answer = await send(gateway.url, path, { headers: { 'x-requested-with': 'plugin-square' } });
    t.equal(answer.status, 429, path);
  }
  const head = await send(gateway.url, LIST, {
    method: 'HEAD',
    headers: { 'x-requested-with': 'plugin-square' },
  });
  t.equal(head.status, 429, 'HEAD');
});

t.test('a session has its own count; after a sign-out the address counts', async (t) => {
  const gateway = await tightGateway(t);
  const browser = gateway.browser();
  await browser.signIn();
  const other = gateway.browser();
  await other.signIn();
  gateway.clock.ahead = 11 * MINUTE;
  t.equal(refusals(await times(ANONYMOUS + 2, () => list(gateway))), 2);
  t.strictSame(
    statuses(await times(ANONYMOUS + 2, () => browser.call(LIST))),
    [200, 200, 200, 200, 200, 200, 429, 429],
    'R 9.29',
  );
  t.hasStrict(
    gateway.lines().findLast(({ event }) => event === 'rate_limited'),
    { limit: 'call', by: 'session' },
  );
  t.equal((await other.call(LIST)).status, 200, 'at the same address');
  gateway.clock.ahead += MINUTE + 1;
  const cookie = browser.cookies.get('session') ?? '';
  await browser.call('/api/auth/logout', { method: 'POST' });
  const replayed = await times(ANONYMOUS + 3, () => list(gateway, { cookie: `session=${cookie}` }));
  t.equal(refusals(replayed), 3);
  t.ok(statuses(replayed).every((status) => status === 401 || status === 429));
});

t.test('sign-in and code exchange are limited by address', async (t) => {
  const gateway = await tightGateway(t, {
    settings: { RATE_LIMIT_FACTOR: '0.005', TRUST_PROXY: 'loopback' },
  });
  const from = (address: string, path: string) =>
    send(gateway.url, path, { headers: { 'x-forwarded-for': address, accept: 'text/html' } });
  for (const [index, path] of ['/api/auth/login', '/api/auth/callback?nonce=x&code=y'].entries()) {
    const address = `203.0.113.${index}`;
    const answers = await times(SIGN_INS + 1, () => from(address, path));
    t.equal(refusals(answers), 1, path);
    t.equal(answers.at(-1)?.status, 429);
    t.not((await from('198.51.100.1', path)).status, 429, 'another address is not affected');
  }
  t.equal(gateway.identity.requests.length, 0, 'no code was exchanged');
});

t.test('reports are limited by session, and by address whatever the session', async (t) => {
  const gateway = await startGateway(t, { settings: { RATE_LIMIT_FACTOR: '0.1' } });
  gateway.community.on(`POST ${REPORT}`, () => ({}));
  const [first, second, third, fourth] = [1, 2, 3, 4].map(() => gateway.browser());
  if (!first || !second || !third || !fourth) throw new Error('four browsers are needed');
  for (const browser of [first, second, third, fourth]) await browser.signIn();
  t.strictSame(statuses(await times(3, () => report(first))), [200, 200, 429], 'two per session');
  t.hasStrict(
    gateway.lines().findLast(({ event }) => event === 'rate_limited'),
    { limit: 'report', by: 'session' },
  );
  t.strictSame(statuses(await times(2, () => report(second))), [200, 200]);
  t.strictSame(statuses(await times(2, () => report(third))), [200, 200]);
  t.equal((await report(fourth)).status, 429, 'six per address');
  t.hasStrict(
    gateway.lines().findLast(({ event }) => event === 'rate_limited'),
    { limit: 'report', by: 'address' },
  );
  t.equal(gateway.community.seen(`POST ${REPORT}`).length, 6, 'refused calls reach no service');
  t.equal((await first.call('/api/auth/session')).status, 200, 'other calls still work');
});

t.test('uploads are limited before their body is read', async (t) => {
  const gateway = await tightGateway(t);
  gateway.community.on('POST /api/cmt/plugin', () => ({}));
  const browser = gateway.browser();
  await browser.signIn();
  const upload = () =>
    browser.call('/api/cmt/plugin', {
      method: 'POST',
      body: Buffer.alloc(100_000),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
  t.equal((await upload()).status, 200);
  t.equal((await upload().catch(() => ({ status: 429 }))).status, 429);
  t.equal(gateway.community.seen('POST /api/cmt/plugin').length, 1);
});

t.test('X-Forwarded-For is used only from a trusted proxy', async (t) => {
  const gateway = await tightGateway(t, { settings: { ...TIGHT, TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8' } });
  const via = (forwarded: string) => list(gateway, { 'x-forwarded-for': forwarded });
  t.equal(refusals(await times(ANONYMOUS * 2, (index) => via(`203.0.113.${index}`))), 0);
  t.equal(
    refusals(await times(ANONYMOUS + 1, (index) => via(`1.2.3.${index}, 192.0.2.1`))),
    1,
    'the last address before the proxies',
  );
  t.equal(refusals(await times(ANONYMOUS + 1, (index) => via(`1.2.3.${index}, 192.0.2.2, 10.1.2.3`))), 1);
  t.equal(
    refusals(await times(ANONYMOUS + 1, (index) => via(`192.0.2.3:${40_000 + index}`))),
    1,
    'ports are ignored',
  );
  t.equal(refusals(await times(ANONYMOUS + 1, (index) => via(`[2001:db8::1]:${index + 1}`))), 1);
  t.equal(
    refusals(await times(ANONYMOUS + 1, (index) => via(`unknown-${index}`))),
    1,
    'invalid addresses are ignored',
  );
});

t.test('IPv6 is counted by its /64 network', async (t) => {
  const gateway = await tightGateway(t, { settings: { ...TIGHT, TRUST_PROXY: 'loopback' } });
  const via = (forwarded: string) => list(gateway, { 'x-forwarded-for': forwarded });
  const inOneNetwork = await times(ANONYMOUS + 2, (index) => via(`2001:db8:1:2:${index}::${index}`));
  t.equal(refusals(inOneNetwork), 2);
  t.equal((await via('2001:0DB8:0001:0002::ffff')).status, 429, 'in any notation');
  t.equal((await via('2001:db8:1:3::1')).status, 200, 'the next network');
  t.equal(refusals(await times(ANONYMOUS, () => via('::ffff:192.0.2.9'))), 0);
  t.equal((await via('192.0.2.9')).status, 429, 'an IPv4-mapped IPv6 address is the same');
});

t.test('a factor of 0 sets no limits', async (t) => {
  const gateway = await tightGateway(t, { settings: { RATE_LIMIT_FACTOR: '0' } });
  t.equal(refusals(await times(1300, () => list(gateway))), 0);
});

t.test('the default limits are high enough for an office behind one address', async (t) => {
  const gateway = await tightGateway(t, { settings: { RATE_LIMIT_FACTOR: '1' } });
  t.equal(refusals(await times(1000, () => list(gateway))), 0);
  t.ok(LIMITS.anonymous.address.max >= 1000);
});

const program = redisProgram();
t.test(
  'two gateways with one Redis share the counts',
  { skip: program === undefined ? NO_REDIS : false },
  async (t) => {
    const redis = await startRedis(t, program ?? '');
    const settings = { ...TIGHT, REDIS_URL: redis.url };
    const one = await tightGateway(t, { settings });
    const two = await tightGateway(t, { settings, share: one });
    await noticed([one, two], true);
    const answers = await times(2 * ANONYMOUS + 2, (index) => list(index % 2 === 0 ? one : two));
    t.equal(refusals(answers), ANONYMOUS + 2, 'alone, each would have refused only one');
    t.strictSame(statuses([await list(one), await list(two)]), [429, 429]);
    await redis.kill();
    await noticed([one, two], false);
    t.equal((await list(one)).status, 200, 'without Redis each counts on its own and still works');
    t.match(await one.registry.metrics(), /^bff_redis_up 0$/m);
    t.equal(refusals(await times(ANONYMOUS, () => list(one))), 1);
  },
);
