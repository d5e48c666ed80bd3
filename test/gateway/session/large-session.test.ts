import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import t from 'tap';
import { type GatewaySetup, startGateway, type TestGateway } from '../../support/gateway.ts';
import { NO_REDIS, redisProgram, startRedis } from '../../support/redis.ts';

const program = redisProgram() ?? '';
const options = program === '' ? { skip: NO_REDIS } : {};

/** Random bytes in an access token; 12 KB in base64url. */
const PADDING = 9 * 1024;
const INSTALL = '/api/cmt/plugin/user';
const HOUR = 3_600_000;

type Browser = ReturnType<TestGateway['browser']>;
type Test = Parameters<typeof startGateway>[0];

async function startLarge(t: Test, setup: GatewaySetup = {}) {
  const redis = await startRedis(t, program);
  const client = new Redis(redis.url);
  client.on('error', () => undefined);
  t.teardown(async () => client.disconnect());
  const gateway = await startGateway(t, { ...setup, settings: { REDIS_URL: redis.url } });
  gateway.issued.padding = PADDING;
  gateway.community.on(`POST ${INSTALL}`, () => ({}));
  const stored = () => client.keys('plugin-square:*:session');
  return { redis, client, gateway, stored };
}

const install = (browser: Browser) => browser.call(INSTALL, { method: 'POST', body: '{}' });

const cookieBytes = (browser: Browser): number =>
  [...browser.cookies].reduce((sum, [name, value]) => sum + name.length + value.length, 0);

function bearerOf(gateway: TestGateway): string | undefined {
  return gateway.community.seen(`POST ${INSTALL}`).at(-1)?.headers.authorization?.slice('Bearer '.length);
}

t.test('a session with 12 KB of tokens is stored in Redis, encrypted, until it ends', options, async (t) => {
  const { client, gateway, stored } = await startLarge(t);
  const browser = gateway.browser();
  t.equal((await browser.signIn()).status, 303);
  t.ok(cookieBytes(browser) < 3800, 'the rest fits into one cookie');
  const [name = ''] = await stored();
  t.equal((await stored()).length, 1);
  t.notMatch(await client.get(name), /CANARY|ada@example/, 'nothing in plain text');
  t.ok(
    (await client.pttl(name)) <= 7 * 24 * HOUR && (await client.pttl(name)) > HOUR,
    'until the session ends',
  );

  t.equal((await install(browser)).status, 200);
  t.ok((bearerOf(gateway) ?? '').length > 12_000, 'its token is sent upstream');
  t.ok(gateway.issued.secrets.includes(bearerOf(gateway) ?? ''));

  const before = new Map(browser.cookies);
  t.equal((await browser.call('/api/auth/logout', { method: 'POST' })).status, 200);
  t.strictSame(await stored(), [], 'removed at sign-out');
  t.match(gateway.identity.seen('POST /user/logout')[0]?.headers.authorization, /^Bearer CANARY-refresh-/);
  for (const [cookie, value] of before) browser.cookies.set(cookie, value);
  t.equal((await install(browser)).json().code, 'SESSION_ENDED');
});

t.test('tokens of a session in Redis are refreshed and read by another gateway', options, async (t) => {
  const keys = [randomBytes(32)];
  const { redis, gateway } = await startLarge(t, { keys });
  const browser = gateway.browser();
  await browser.signIn();
  gateway.clock.ahead = 16 * 60_000;
  t.equal((await install(browser)).status, 200);
  t.equal(gateway.issued.refreshes, 1);
  const renewed = bearerOf(gateway);
  t.equal(
    renewed,
    gateway.issued.secrets.findLast((secret) => secret.startsWith('e30.')),
  );

  const other = await startGateway(t, { keys, share: gateway, settings: { REDIS_URL: redis.url } });
  other.clock.ahead = 16 * 60_000;
  const elsewhere = other.browser();
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  t.equal((await install(elsewhere)).status, 200);
  t.equal(bearerOf(gateway), renewed);
  t.equal(gateway.issued.refreshes, 1, 'the tokens of the refresh are stored');
});

t.test('a session that grows too large at a refresh moves to Redis', options, async (t) => {
  const { gateway, stored } = await startLarge(t);
  gateway.issued.padding = 0;
  const browser = gateway.browser();
  await browser.signIn();
  t.strictSame(await stored(), []);
  gateway.issued.padding = PADDING;
  gateway.clock.ahead = 16 * 60_000;
  t.equal((await install(browser)).status, 200);
  t.equal((await stored()).length, 1);
  t.equal((await install(browser)).status, 200);
  t.equal(gateway.issued.refreshes, 1);
});

t.test('a Redis outage signs nobody out; sessions that Redis has lost are ended', options, async (t) => {
  const keys = [randomBytes(32)];
  const { redis, gateway } = await startLarge(t, { keys });
  const browser = gateway.browser();
  await browser.signIn();
  const settings = { REDIS_URL: redis.url };
  const other = (await startGateway(t, { keys, share: gateway, settings })).browser();
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  await redis.kill();
  const away = await install(other);
  t.equal(away.status, 503);
  t.strictSame(away.setCookies, []);
  const page = await other.visit('/plugins/');
  t.equal(page.status, 200);
  t.match(page.text, '"session":null', 'a page says nothing of who is there');
  const left = await other.call('/api/auth/logout', { method: 'POST' });
  t.equal(left.status, 503);
  t.equal(other.cookies.size, 0, 'sign-out deletes the cookie anyway');

  await redis.start();
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  t.equal((await install(other)).json().code, 'SESSION_ENDED');
  t.equal(other.cookies.size, 0);
});

t.test('without Redis the sign-in logs what is too large, and by how much', async (t) => {
  const gateway = await startGateway(t);
  gateway.issued.padding = PADDING;
  const failed = await gateway.browser().signIn();
  t.equal(failed.status, 502);
  const line = gateway.lines().find(({ event }) => event === 'session_too_large');
  t.match(line, {
    msg: 'session exceeds cookie size limit',
    lengths: { access_token: Number, refresh_token: 39 },
  });
  t.ok(Number(line?.size) > 16_000);
  t.equal(line?.limit, 7464);
  const failure = gateway.lines().find(({ msg }) => msg === 'sign-in failed');
  t.match(failure, {
    code: 'UPSTREAM_INVALID',
    err: { message: /: \d{5} of 7464 characters \(access_token 123\d\d,/ },
  });
  t.notMatch(gateway.logText(), /CANARY/);
});
