import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import t from 'tap';
import { NO_REDIS, redisProgram } from '../support/redis.ts';
import { HOUR, newSession, openOne, openTwo, slowRefresh } from '../support/shared-state.ts';

const program = redisProgram() ?? '';
const options = program === '' ? { skip: NO_REDIS } : {};

t.test('Redis away: each gateway serves on by itself, says so once, and heals', options, async (t) => {
  const { redis, one, two } = await openTwo(t, program);
  await redis.kill();
  await delay(50);
  const { calls, work } = slowRefresh();
  const session = newSession();
  const renewed = await Promise.all([1, 2, 3].map(() => one.state.renewOnce(session, work)));
  t.ok(renewed.every(({ generation }) => generation === 1));
  t.equal(calls.length, 1, 'one refresh within the process');
  t.equal(await one.state.useOnce('n', Date.now() + HOUR), true);
  t.equal(await one.state.useOnce('n', Date.now() + HOUR), false);
  t.match(await one.count('k', 1000), { current: 1 });
  t.match(await one.count('k', 1000), { current: 2 });
  await one.state.revoke('gone', Date.now() + HOUR);
  t.equal(await one.state.isRevoked('gone'), true);
  t.equal(await two.state.isRevoked('gone'), false);

  await redis.start();
  for (let tries = 0; tries < 60 && !(one.states.at(-1) && two.states.at(-1)); tries += 1) await delay(100);
  t.strictSame(one.states, [true, false, true]);
  t.equal(await two.state.isRevoked('gone'), true, 'what was ended in the meantime is told later');
  t.equal(await two.state.useOnce('n', Date.now() + HOUR), false);
  t.equal(one.log().match(/cannot be asked/g)?.length, 1);
  t.equal(one.log().match(/can be asked again/g)?.length, 1);
});

t.test('a Redis that stands still costs half a second once', options, async (t) => {
  const { redis, one } = await openTwo(t, program);
  // On a busy machine the first look at it may have come too late.
  for (let tries = 0; tries < 60 && !one.states.at(-1); tries += 1) await delay(100);
  redis.pause();
  const started = performance.now();
  t.equal(await one.state.isRevoked('x'), false);
  const first = performance.now() - started;
  t.ok(first > 300 && first < 1500, `${Math.round(first)} ms`);
  for (let index = 0; index < 50; index += 1) t.equal(await one.state.isRevoked(`y${index}`), false);
  t.ok(performance.now() - started - first < 300, 'after that nobody waits');
  redis.resume();
  for (let tries = 0; tries < 60 && !one.states.at(-1); tries += 1) await delay(100);
  t.equal(one.states.at(-1), true);
});

t.test('a Redis that takes no writes counts as away', options, async (t) => {
  const { redis, one } = await openTwo(t, program);
  const client = new Redis(redis.url);
  await client.config('SET', 'maxmemory', '1');
  t.equal(await one.state.useOnce('n', Date.now() + HOUR), true);
  t.equal(await one.state.useOnce('n', Date.now() + HOUR), false);
  await delay(1500);
  t.strictSame(one.states, [true, false], 'and does not come back by answering alone');
  await client.config('SET', 'maxmemory', '0');
  client.disconnect();
  for (let tries = 0; tries < 60 && !one.states.at(-1); tries += 1) await delay(100);
  t.equal(one.states.at(-1), true);
});

t.test('no Redis at the start is no reason not to start', async (t) => {
  const alone = await openOne(t, '/nowhere/redis.sock');
  t.strictSame(alone.states, [false]);
  t.match(await alone.state.renewOnce(newSession(), slowRefresh(1).work), { generation: 1 });
  t.equal(alone.log().match(/cannot be asked/g)?.length, 1);
});
