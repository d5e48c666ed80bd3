import { Redis } from 'ioredis';
import t from 'tap';
import { NO_REDIS, redisProgram } from '../../support/redis.ts';
import { HOUR, newSession, openOne, openTwo, slowRefresh } from '../../support/shared-state.ts';
import { until } from '../../support/until.ts';

const program = redisProgram() ?? '';
const options = program === '' ? { skip: NO_REDIS } : {};

/** A command of a healthy Redis is never late; a connection that breaks is noticed anyway. */
const NEVER_LATE = { redis: { command: 60_000 } };

/** Waits until a gateway has detected the availability of Redis. */
async function noticed({ states }: { states: boolean[] }, isUp: boolean): Promise<void> {
  await until(() => states.at(-1) === isUp);
}

const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE', statusCode: 503, headers: { 'retry-after': '2' } };

t.test(
  'Redis unavailable: each gateway works on its own, refreshes nothing, and recovers',
  options,
  async (t) => {
    const { redis, one, two } = await openTwo(t, program, NEVER_LATE);
    const { calls, work } = slowRefresh(1);
    const session = newSession();
    await redis.kill();
    await Promise.all([noticed(one, false), noticed(two, false)]);
    const refused = await Promise.allSettled([1, 2].map(() => one.state.renewOnce(session, work)));
    t.hasStrict(refused, [{ reason: UNAVAILABLE }, { reason: UNAVAILABLE }]);
    t.strictSame(calls, [], 'no refresh without the lock');
    t.equal(one.state.canRenew(), false);
    await t.rejects(one.state.newerThan(session), UNAVAILABLE, 'and no rejection is accepted');
    t.equal(await one.state.useOnce('n', Date.now() + HOUR), true);
    t.equal(await one.state.useOnce('n', Date.now() + HOUR), false);
    t.hasStrict(await one.count('k', 1000), { current: 1 });
    t.hasStrict(await one.count('k', 1000), { current: 2 });
    await one.state.revoke('gone', Date.now() + HOUR);
    await one.state.revokeAll('sub:7', 1000, Date.now() + HOUR);
    await two.state.revokeAll('sub:7', 2000, Date.now() + HOUR);
    t.equal(await one.state.isRevoked('gone'), true);
    t.equal(await two.state.isRevoked('gone'), false);

    await redis.start();
    await Promise.all([noticed(one, true), noticed(two, true)]);
    t.strictSame(one.states, [true, false, true]);
    await until(() => two.state.isRevoked('gone'));
    t.pass('what was ended in the meantime is told later');
    await until(async () => (await one.state.revokedAllAt(['sub:7'])) === 2000);
    t.pass('of two orders the later one holds');
    t.equal(await two.state.useOnce('n', Date.now() + HOUR), false);
    t.hasStrict(await one.state.renewOnce(session, work), { generation: 1 });
    t.equal(one.log().match(/Redis unavailable, falling back/g)?.length, 1);
    t.equal(one.log().match(/Redis available again/g)?.length, 1);
  },
);

t.test('entries are written again to a Redis that restarts empty', options, async (t) => {
  const { redis, one, two } = await openTwo(t, program, NEVER_LATE);
  const session = newSession();
  const { calls, work } = slowRefresh(1);
  await one.state.revoke('gone', Date.now() + HOUR);
  await one.state.revokeAll('sid:x', 1234, Date.now() + HOUR);
  await one.state.useOnce('n', Date.now() + HOUR);
  await one.state.renewOnce(session, work);
  await redis.kill();
  await Promise.all([noticed(one, false), noticed(two, false)]);
  await redis.start();
  await Promise.all([noticed(one, true), noticed(two, true)]);
  t.hasStrict(await two.state.renewOnce(session, work), { generation: 1 }, 'the recently refreshed copy');
  t.equal(calls.length, 1, 'is not refreshed with used tokens');
  await until(() => two.state.isRevoked('gone'));
  await until(async () => (await two.state.revokedAllAt(['sid:x'])) === 1234);
  t.equal(await two.state.useOnce('n', Date.now() + HOUR), false);
});

t.test('a paused Redis delays only the first command', options, async (t) => {
  const { redis, one } = await openTwo(t, program);
  await noticed(one, true);
  redis.pause();
  const asked = one.state.isRevoked('x');
  t.equal(await Promise.race([asked, nextTurn('waits')]), 'waits', 'it has time to reply');
  t.equal(await asked, false);
  for (let index = 0; index < 50; index += 1) {
    const first = await Promise.race([one.state.isRevoked(`y${index}`), nextTurn('waited')]);
    t.equal(first, false, 'later commands do not wait');
  }
  redis.resume();
  await noticed(one, true);
});

t.test('a read-only Redis counts as unavailable', options, async (t) => {
  const { redis, one } = await openTwo(t, program, NEVER_LATE);
  const client = new Redis(redis.url);
  await client.config('SET', 'maxmemory', '1');
  t.equal(await one.state.useOnce('n', Date.now() + HOUR), true);
  t.equal(await one.state.useOnce('n', Date.now() + HOUR), false);
  const refused = async (): Promise<number> =>
    Number(/cmdstat_set:.*rejected_calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0);
  const before = await refused();
  await until(async () => (await refused()) >= before + 4);
  t.strictSame(one.states, [true, false], 'and is not available again just because it answers');
  await client.config('SET', 'maxmemory', '0');
  client.disconnect();
  await noticed(one, true);
});

t.test('the gateway starts without Redis', async (t) => {
  const alone = await openOne(t, '/nowhere/redis.sock', { redis: { required: 100 } });
  t.strictSame(alone.states, [false]);
  t.equal(await alone.state.isRevoked('x'), false);
  await t.rejects(alone.state.renewOnce(newSession(), slowRefresh(1).work), UNAVAILABLE);
  t.equal(alone.log().match(/Redis unavailable/g)?.length, 1);
});

/** Resolves after all pending microtasks. */
function nextTurn<T>(value: T): Promise<T> {
  return new Promise((resolve) => setImmediate(resolve, value));
}
