import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import t from 'tap';
import { createLocalState } from '../../../server/gateway/session/shared-state.ts';
import { appError } from '../../../server/http/errors.ts';
import { NO_REDIS, redisProgram, type TestRedis } from '../../support/redis.ts';
import { HOUR, newSession, openOne, openTwo, slowRefresh } from '../../support/shared-state.ts';
import { until as when } from '../../support/until.ts';

t.test('state in Redis', async (t) => {
  const program = redisProgram() ?? '';
  const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '2' } };
  /** Long enough that a slow Redis on a busy machine does not count as unavailable. */
  const NEVER_DOWN = { redis: { command: 60_000 } };
  const options = program === '' ? { skip: NO_REDIS } : {};

  /** Number of scripts that Redis has run. */
  async function scriptsRun(url: string): Promise<number> {
    const client = new Redis(url);
    const stats = await client.info('commandstats');
    client.disconnect();
    return Number(/cmdstat_eval:calls=(\d+)/.exec(stats)?.[1] ?? 0);
  }

  async function everything(redis: TestRedis): Promise<string> {
    const client = new Redis(redis.url);
    const names = await client.keys('*');
    const found: string[] = [...names];
    for (const name of names) {
      const isHash = (await client.type(name)) === 'hash';
      found.push(JSON.stringify(isHash ? await client.hgetall(name) : await client.get(name)));
    }
    client.disconnect();
    return found.join('\n');
  }

  t.test('R 9.16: two gateways make one refresh; the loser adopts it', options, async (t) => {
    const { one, two } = await openTwo(t, program, NEVER_DOWN);
    const { calls, work } = slowRefresh();
    const session = newSession();
    const states = [one.state, two.state];
    const renewed = await Promise.all(
      Array.from({ length: 20 }, (_, index) => states[index % 2]?.renewOnce(session, work)),
    );
    t.equal(calls.length, 1);
    for (const copy of renewed) t.hasStrict(copy, { generation: 1, access_token: 'CANARY-access-1' });
    t.hasStrict(
      await two.state.renewOnce(session, work),
      { generation: 1 },
      'a late request with an older copy',
    );
    t.equal(calls.length, 1);
  });

  t.test('R 9.14: Redis contains tokens encrypted and ids hashed', options, async (t) => {
    const { redis, one } = await openTwo(t, program, NEVER_DOWN);
    const session = newSession({ sub: 'person-7' });
    await one.state.renewOnce(session, slowRefresh(1).work);
    await one.state.revokeAll('sub:person-7', Date.now(), Date.now() + HOUR);
    await one.state.useOnce('CANARY-nonce', Date.now() + HOUR);
    const kept = await everything(redis);
    t.match(kept, /:newest/);
    t.match(kept, /:used/);
    for (const word of ['CANARY', session.id, 'person-7', 'ada@example.org']) t.notMatch(kept, word);
  });

  t.test('a forged copy in Redis is not accepted and blocks the refresh', options, async (t) => {
    const { redis, one, two } = await openTwo(t, program, NEVER_DOWN);
    const other = await openOne(t, redis.url, { ...NEVER_DOWN, keys: [randomBytes(32)] });
    const session = newSession();
    const renewed = await other.state.renewOnce(session, slowRefresh(1).work);
    const { calls, work } = slowRefresh(1);
    await t.rejects(one.state.renewOnce(session, work), UNAVAILABLE, 'encrypted with other keys');
    await t.rejects(one.state.newerThan(session), UNAVAILABLE, 'nor does it count as no session');
    t.hasStrict(await one.state.renewOnce(renewed, work), { generation: 2 }, 'the newest copy is refreshed');
    t.equal(calls.length, 1);

    const mine = newSession();
    await one.state.renewOnce(mine, slowRefresh(1).work);
    const client = new Redis(redis.url);
    const names = (await client.keys('*:newest')).sort();
    t.equal(names.length, 2);
    const [first = '', second = ''] = names;
    const [a, b] = [await client.hgetall(first), await client.hgetall(second)];
    await client.hset(first, { ...b, generation: '9' });
    await client.hset(second, { ...a, generation: '9' });
    client.disconnect();
    const later = slowRefresh(1);
    await t.rejects(two.state.renewOnce(mine, later.work), UNAVAILABLE, 'never the copy of another session');
    t.equal(later.calls.length, 0);
  });

  t.test('a long refresh keeps its lock; a failed one releases it', options, async (t) => {
    const { redis, one, two } = await openTwo(t, program, { ...NEVER_DOWN, lease: 5000 });
    const session = newSession();
    const begun = Promise.withResolvers<void>();
    const waiting = Promise.withResolvers<void>();
    const failing = one.state.renewOnce(session, async () => {
      begun.resolve();
      await waiting.promise;
      throw appError('UPSTREAM_UNAVAILABLE');
    });
    await begun.promise;
    const { calls, work } = slowRefresh(1);
    const scripts = await scriptsRun(redis.url);
    const next = two.state.renewOnce(session, work);
    await when(async () => (await scriptsRun(redis.url)) > scripts + 2);
    waiting.resolve();
    const [failed, waited] = await Promise.allSettled([failing, next]);
    t.hasStrict(failed, { status: 'rejected', reason: { code: 'UPSTREAM_UNAVAILABLE' } });
    t.hasStrict(waited, { status: 'fulfilled', value: { generation: 1 } }, 'the next caller retries');
    t.equal(calls.length, 1);

    const other = newSession();
    const long = slowRefresh(12_000);
    const both = Promise.all([
      one.state.renewOnce(other, long.work),
      long.begun.then(() => two.state.renewOnce(other, long.work)),
    ]);
    t.strictSame(
      (await both).map(({ access_token }) => access_token),
      ['CANARY-access-1', 'CANARY-access-1'],
    );
    t.equal(long.calls.length, 1);
  });

  t.test('the refresh of a crashed gateway is taken over', options, async (t) => {
    const { redis, two } = await openTwo(t, program, NEVER_DOWN);
    const session = newSession();
    const client = new Redis(redis.url);
    const { calls, work } = slowRefresh(1);
    await two.state.renewOnce(session, work);
    const fresh = await openOne(t, redis.url, NEVER_DOWN);
    const [name = ''] = await client.keys('*:newest');
    const lock = name.replace(':newest', ':lock');
    await client.set(lock, 'somebody', 'PX', 300);
    await client.del(name);
    let owner: string | null = null;
    const renewed = fresh.state.renewOnce(session, async (stale) => {
      owner = await client.get(lock);
      return work(stale);
    });
    t.hasStrict(await renewed, { generation: 1 });
    t.ok(owner);
    t.not(owner, 'somebody', 'after the lease, not before');
    client.disconnect();
    t.equal(calls.length, 2);
  });

  t.test('R 9.20: a session that ends on one gateway ends on the other', options, async (t) => {
    const { one, two } = await openTwo(t, program, NEVER_DOWN);
    const session = newSession();
    t.equal(await two.state.isRevoked(session.id), false);
    await one.state.revoke(session.id, Date.now() + HOUR);
    t.equal(await two.state.isRevoked(session.id), true);
    t.equal(two.state.isKnownRevoked(session.id), true);
    await t.rejects(two.state.renewOnce(session, slowRefresh(1).work), { code: 'SESSION_ENDED' });
    await one.state.revoke('short', Date.now() + 50);
    await when(async () => !(await two.state.isRevoked('short')));
    t.pass('remembered no longer than it must be');

    await one.state.revokeAll('sid:x', 1234, Date.now() + HOUR);
    t.equal(await two.state.revokedAllAt(['sid:y', 'sid:x']), 1234);
    t.equal(await two.state.revokedAllAt(['sid:y']), 0);
    t.equal(await two.state.revokedAllAt([]), 0);
  });

  t.test('a session that ends while it is refreshed stays ended', options, async (t) => {
    const { one, two } = await openTwo(t, program, NEVER_DOWN);
    const session = newSession();
    const { work, begun } = slowRefresh(200);
    const refreshing = t.rejects(one.state.renewOnce(session, work), { code: 'SESSION_ENDED' });
    await begun;
    await two.state.revoke(session.id, Date.now() + HOUR);
    await refreshing;
  });

  t.test('a sign-out waits for a refresh on another gateway and revokes its tokens', options, async (t) => {
    const { one, two } = await openTwo(t, program, NEVER_DOWN);
    const session = newSession();
    const { work, begun } = slowRefresh(200);
    const refreshing = one.state.renewOnce(session, work);
    await begun;
    await two.state.waitForRenewal(session.id);
    t.hasStrict(two.state.newest(session.id), { generation: 1, refresh_token: 'CANARY-refresh-1' });
    await refreshing;
  });

  t.test('R 9.7: a sign-in is completed once among all gateways', options, async (t) => {
    const { one, two } = await openTwo(t, program, NEVER_DOWN);
    const until = Date.now() + HOUR;
    t.strictSame((await Promise.all([one.state.useOnce('n', until), two.state.useOnce('n', until)])).sort(), [
      false,
      true,
    ]);
    t.equal(await two.state.useOnce('n', until), false);
    t.equal(await two.state.useOnce('m', until), true);
  });

  t.test('counts are shared, each with its window', options, async (t) => {
    const { one, two } = await openTwo(t, program, NEVER_DOWN);
    await one.count('k', HOUR);
    t.hasStrict(await two.count('k', HOUR), { current: 2 });
    t.hasStrict(await one.count('other', HOUR), { current: 1 });
    await one.count('short', 50);
    await when(async () => (await two.count('short', 50)).current === 1);
    t.pass('a window ends');
  });
});

t.test('state without Redis', async (t) => {
  /** A refresh that the test completes. */
  function heldRefresh() {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const calls: number[] = [];
    const work = async (session: ReturnType<typeof newSession>) => {
      calls.push(session.generation);
      await promise;
      return { ...session, generation: session.generation + 1, access_token: `new ${calls.length}` };
    };
    return { calls, work, release: resolve, fail: reject };
  }

  t.test('concurrent callers share one refresh, later callers get its result', async (t) => {
    const state = createLocalState(Date.now);
    const session = newSession();
    const { calls, work, release } = heldRefresh();
    const asked = [state.renewOnce(session, work), state.renewOnce(session, work)];
    release();
    const [first, second] = await Promise.all(asked);
    t.equal(first, second);
    t.equal(await state.renewOnce(session, work), first, 'with the older copy, whose token is invalid');
    t.strictSame(calls, [0], 'one refresh');
    t.hasStrict(await state.newerThan(session), { generation: 1, access_token: 'new 1' });
    t.equal(await state.newerThan({ ...session, generation: 1 }), undefined);
    t.hasStrict(
      await state.renewOnce({ ...session, generation: 1 }, work),
      { generation: 2 },
      'the newest copy is renewed',
    );
  });

  t.test('a failed refresh fails for all waiting callers, and the next caller retries', async (t) => {
    const state = createLocalState(Date.now);
    const session = newSession();
    const failing = heldRefresh();
    const asked = [1, 2].map(() => state.renewOnce(session, failing.work));
    failing.fail(new Error('away'));
    t.strictSame(
      (await Promise.allSettled(asked)).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    const { work, release } = heldRefresh();
    release();
    t.hasStrict(await state.renewOnce(session, work), { generation: 1 });
  });

  t.test('an ended session leaves no copy', async (t) => {
    const state = createLocalState(Date.now);
    const session = newSession();
    const { work, release } = heldRefresh();
    release();
    await state.renewOnce(session, work);
    await state.revoke(session.id, Date.now() + HOUR);
    t.equal(state.isKnownRevoked(session.id), true);
    t.equal(state.newest(session.id), undefined);
  });
});
