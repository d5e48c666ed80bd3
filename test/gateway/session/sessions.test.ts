import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import t from 'tap';
import { createEncryptor } from '../../../server/encryption/encryptor.ts';
import {
  endsAt,
  isExpired,
  isExpiring,
  newSession,
  type Session,
} from '../../../server/gateway/session/session.ts';
import { type GatewaySetup, startGateway, type TestGateway } from '../../support/gateway.ts';
import { NO_REDIS, redisProgram, startRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';
import { USER } from '../../support/user-service.ts';

t.test('life of a session', async (t) => {
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  const LIFE = { SESSION_IDLE: '1h', SESSION_MAX: '3h' };

  t.test('a response that does not read the session changes no cookie', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const cookie = 'session=1.x.AAAA';
    for (const [path, headers, status] of [
      ['/assets/missing.js', {}, 404],
      ['/api/cmt/plugin/user', { 'x-requested-with': '' }, 403],
      ['/api/cmt/nowhere', {}, 404],
    ] as const) {
      const answer = await browser.call(path, { headers: { ...headers, cookie } });
      t.equal(answer.status, status, path);
      t.strictSame(answer.setCookies, [], path);
    }
    const read = await browser.call('/api/auth/session', { headers: { cookie } });
    t.equal(read.status, 200);
    t.strictSame(read.setCookies, ['session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict']);
  });

  t.test('a session in larger chunks of a former version is valid, but not extended', async (t) => {
    const key = randomBytes(32);
    const gateway = await startGateway(t, { keys: [key] });
    gateway.community.on('POST /api/cmt/plugin/user', () => ({}));
    const begun = newSession(
      {
        access_token: 'x'.repeat(5200),
        refresh_token: 'refresh',
        access_expires: Date.now() + HOUR,
        refresh_expires: Date.now() + HOUR,
        sub: null,
        sid: null,
        login_method: null,
        user: USER,
      },
      Date.now() - 2 * MINUTE,
    );
    const encrypted = `2.${createEncryptor([key], 'session').encrypt(JSON.stringify(begun), 'session')}`;
    const browser = gateway.browser();
    browser.cookies.set('session', encrypted.slice(0, 4089));
    browser.cookies.set('session-1', encrypted.slice(4089));
    const total = encrypted.length + 'sessionsession-1'.length;
    t.ok(total > 7600 && total <= 8000, `${total} bytes, as in a former version`);
    const used = await browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
    t.equal(used.status, 200);
    t.strictSame(used.setCookies, [], 'a session that no longer fits is not set again');
    t.equal((await browser.call('/api/auth/session')).json().data.signed_in, true);
  });

  /** Max-Age of the session cookie of a response, in seconds. */
  function lifetime({ setCookies }: { setCookies: string[] }): number {
    const line = setCookies.find((cookie) => cookie.startsWith('session=')) ?? '';
    return Number(/Max-Age=(\d+)/.exec(line)?.[1]);
  }

  t.test('polling for notices does not extend the session', async (t) => {
    const gateway = await startGateway(t, { settings: LIFE });
    gateway.issued.accessLifetime = 4 * 3600;
    gateway.community.on('GET /api/cmt/notice/count', () => ({ unread_count: 0 }));
    const browser = gateway.browser();
    await browser.signIn();
    for (const ahead of [15, 30, 45]) {
      gateway.clock.ahead = ahead * MINUTE;
      t.equal((await browser.call('/api/cmt/notice/count')).status, 200);
    }
    gateway.clock.ahead = 61 * MINUTE;
    const over = await browser.call('/api/cmt/notice/count');
    t.equal(over.status, 401);
    t.equal(over.json().code, 'SESSION_ENDED');
  });

  t.test('use extends the session, once a minute', async (t) => {
    const gateway = await startGateway(t, { settings: LIFE });
    const browser = gateway.browser();
    await browser.signIn();
    const setAfter = async (seconds: number) => {
      gateway.clock.ahead = seconds * 1000;
      const { setCookies } = await browser.call('/api/auth/userinfo');
      return setCookies.filter((line) => line.startsWith('session=')).length;
    };
    t.strictSame([await setAfter(0), await setAfter(58), await setAfter(61)], [0, 0, 1]);
    t.strictSame([await setAfter(119), await setAfter(122)], [0, 1]);
  });

  t.test('use in one tab counts, although another tab has refreshed an older cookie', async (t) => {
    const gateway = await startGateway(t, { settings: LIFE });
    const [used, other] = [gateway.browser(), gateway.browser()];
    await used.signIn();
    other.cookies.set('session', used.cookies.get('session') ?? '');
    gateway.clock.ahead = 4 * MINUTE;
    await used.call('/api/auth/userinfo');
    gateway.clock.ahead = 16 * MINUTE;
    await other.call('/api/auth/userinfo');
    t.equal(gateway.issued.refreshes, 1);
    gateway.clock.ahead = 62 * MINUTE;
    t.equal((await used.call('/api/auth/userinfo')).status, 200);
  });

  t.test('a session never outlives its refresh token', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const finished = await browser.signIn();
    const seconds = lifetime(finished);
    t.ok(seconds > 86_300 && seconds <= 86_400, `${seconds} s`);
    const session = await browser.call('/api/auth/session');
    t.ok(Number(session.json().data.expires_at) <= Date.now() + 86_400_000);
    gateway.clock.ahead = 86_400_000;
    t.equal((await browser.call('/api/auth/userinfo')).status, 401);
  });

  t.test('sign-out with or without a body', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    for (const [body, status] of [
      ['', 200],
      ['{}', 200],
      ['{"a":', 400],
      ['{"__proto__":{}}', 400],
    ] as const) {
      const left = await browser.call('/api/auth/logout', { method: 'POST', body });
      t.equal(left.status, status, body);
      if (status === 400) t.equal(left.json().code, 'MALFORMED_BODY');
    }
  });

  t.test('sign-out while the user service is down ends the session and returns the error', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    await browser.signIn();
    const old = browser.cookies.get('session') ?? '';
    await gateway.identity.stop();
    const left = await browser.call('/api/auth/logout', { method: 'POST' });
    t.equal(left.status, 502);
    t.equal(browser.cookies.size, 0);
    browser.cookies.set('session', old);
    t.equal((await browser.call('/api/auth/userinfo')).status, 401);
  });

  t.test('the role is read from manager/verify and cached for 30 s', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    await browser.signIn();
    const role = async () => (await browser.call('/api/auth/session')).json().data.role;
    t.equal(await role(), 0);
    gateway.community.on('GET /api/cmt/manager/verify', () => ({ role: 2 }));
    t.equal(await role(), 0);
    gateway.clock.ahead = 31_000;
    t.equal(await role(), 2);
    await gateway.community.stop();
    gateway.clock.ahead = 62_000;
    t.equal(await role(), null, 'unknown while community is down');
  });

  t.test('userinfo is read again, without its tokens', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const absent = await browser.call('/api/auth/userinfo');
    t.equal(absent.status, 401);
    t.strictSame(absent.json(), { code: 'NO_LOCAL_SESSION', message: 'no exist local authInfo' });
    await browser.signIn();
    const { data } = (await browser.call('/api/auth/userinfo')).json();
    t.equal(data.nick_name, 'Ada Fresh');
    t.notOk('access_token' in data);
  });
});

t.test('expiry', async (t) => {
  const START = Date.UTC(2026, 4, 20, 12);
  const MINUTE = 60_000;
  const LIMITS = { idle: 30 * MINUTE, max: 180 * MINUTE };
  const SESSION: Session = {
    id: 'one',
    generation: 0,
    access_token: 'access',
    refresh_token: 'refresh',
    access_expires: null,
    refresh_expires: null,
    started: START,
    seen: START,
    validated: START,
    sub: null,
    sid: null,
    login_method: null,
    user: {
      ...{
        user_id: 1,
        user_name: '',
        nick_name: '',
        email: '',
        mobile: '',
        sex: 0,
        birthday: '',
        channel: '',
      },
      ...{ tencent_docs: false, avatar_url: '', created_at: '', department: '', e_id: 0, account_id: 0 },
      ...{ is_administrator: false, is_owner: false, staff_status: 0, identification: '' },
    },
  };

  t.test('a session ends after the idle timeout, to the millisecond', async (t) => {
    const over = (after: number, seen = 0) =>
      isExpired({ ...SESSION, seen: START + seen }, LIMITS, START + after);
    t.equal(over(30 * MINUTE - 1), false);
    t.equal(over(30 * MINUTE), true);
    t.equal(over(50 * MINUTE, 21 * MINUTE), false, 'it was used in the meantime');
    t.equal(over(51 * MINUTE, 21 * MINUTE), true);
  });

  t.test('use does not extend a session beyond its lifetime or its refresh token', async (t) => {
    const busy = { ...SESSION, seen: START + 179 * MINUTE };
    t.equal(isExpired(busy, LIMITS, START + 180 * MINUTE - 1), false);
    t.equal(isExpired(busy, LIMITS, START + 180 * MINUTE), true);
    const short = { ...SESSION, refresh_expires: START + 10 * MINUTE };
    t.equal(isExpired(short, LIMITS, START + 10 * MINUTE - 1), false);
    t.equal(isExpired(short, LIMITS, START + 10 * MINUTE), true);
    t.equal(endsAt(short, LIMITS), START + 10 * MINUTE);
    t.equal(endsAt({ ...SESSION, refresh_expires: START + 999 * MINUTE }, LIMITS), START + 180 * MINUTE);
  });

  t.test('a token is refreshed five seconds before its expiry; one without expiry is not', async (t) => {
    const expiring = (left: number) => isExpiring({ access_expires: START + left }, START);
    t.equal(expiring(5001), false);
    t.equal(expiring(5000), true);
    t.equal(expiring(-1), true);
    t.equal(isExpiring({ access_expires: null }, START), false);
  });
});

t.test('large sessions', async (t) => {
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

  t.test(
    'a session with 12 KB of tokens is stored in Redis, encrypted, until it ends',
    options,
    async (t) => {
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
      t.match(
        gateway.identity.seen('POST /user/logout')[0]?.headers.authorization,
        /^Bearer CANARY-refresh-/,
      );
      for (const [cookie, value] of before) browser.cookies.set(cookie, value);
      t.equal((await install(browser)).json().code, 'SESSION_ENDED');
    },
  );

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

  t.test('a shared page whose session is found too late has no data of the user', options, async (t) => {
    const keys = [randomBytes(32)];
    const { redis, gateway } = await startLarge(t, { keys });
    const signedIn = gateway.browser();
    await signedIn.signIn();
    const other = await startGateway(t, {
      keys,
      share: gateway,
      settings: { REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '0' },
      timeouts: { page: 50, redis: { connect: 2000, command: 60_000, required: 60_000 } },
      entry: {
        render: async (_url, _boot, fetchQuery) => {
          redis.resume();
          await until(() => gateway.identity.seen('GET /user/valid').length > 0);
          await fetchQuery({ operation: 'listPlugins', payload: { sort: 1 } });
          return { status: 200, html: 'shared' };
        },
      },
    });
    const browser = other.browser();
    for (const [name, value] of signedIn.cookies) browser.cookies.set(name, value);
    other.clock.ahead = 6 * 60_000;
    redis.pause();
    const page = await browser.visit('/plugins/');
    t.equal(page.status, 200);
    t.equal(page.text, 'shared');
    const asked = await until(() => gateway.community.seen('GET /api/cmt/plugin/list')[0]);
    t.equal(asked.headers.authorization, undefined);
  });

  t.test('a session whose tokens cannot be read is not taken for none', options, async (t) => {
    const keys = [randomBytes(32)];
    const { redis, gateway } = await startLarge(t, { keys });
    const signedIn = gateway.browser();
    await signedIn.signIn();
    const other = await startGateway(t, { keys, share: gateway, settings: { REDIS_URL: redis.url } });
    const browser = other.browser();
    for (const [name, value] of signedIn.cookies) browser.cookies.set(name, value);
    redis.pause();
    const refused = await browser.call('/api/auth/session');
    t.equal(refused.status, 503);
    t.equal(refused.json().code, 'SERVICE_UNAVAILABLE');
    redis.resume();
    const answer = await until(async () => {
      const again = await browser.call('/api/auth/session');
      return again.status === 200 && again;
    });
    t.equal(answer.json().data.signed_in, true);
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
});
