import { Redis } from 'ioredis';
import t from 'tap';
import { NO_REDIS, redisProgram } from '../../support/redis.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import {
  askBoth,
  callUntilServed,
  holdRefreshes,
  noticed,
  openTwoGateways,
  outcomeOf,
  servedWrongly,
  signAllIn,
  standStillBefore,
  standStillDuring,
  VISITORS,
  visitorOf,
  wrongOf,
} from '../../support/two-gateways.ts';
import { until } from '../../support/until.ts';

const program = redisProgram() ?? '';
const options = program === '' ? { skip: NO_REDIS } : {};

for (const [pause, rotates] of [
  [300, true],
  [700, false],
  [2000, true],
  [10_000, true],
] as const) {
  const how = rotates ? 'refresh tokens good once' : 'refresh tokens good again';
  t.test(`Redis is paused for ${pause} ms before a refresh, ${how}`, options, (t) =>
    standStillBefore(t, program, { pause, rotates }),
  );
  t.test(`Redis is paused for ${pause} ms during a refresh, ${how}`, options, (t) =>
    standStillDuring(t, program, { pause, rotates }),
  );
}

t.test('Redis is down: expired tokens are 503 with Retry-After, others work', options, async (t) => {
  const site = await openTwoGateways(t, program);
  const { people, gateways, redis } = site;
  const visitors = await signAllIn(site);
  await redis.kill();
  await noticed(gateways, false);
  t.strictSame(await servedWrongly(visitors), [], 'valid tokens still work');
  for (const { clock } of gateways) clock.ahead = 6 * 60_000;
  t.strictSame(await servedWrongly(visitors), [], 'also when the session is due for validation');
  t.strictSame(gateways[0].identity.seen('GET /user/valid'), [], 'the validation waits for Redis');

  site.expire();
  t.strictSame(new Set(await askBoth(visitors)), new Set(['503, retry after 2']));
  const [gateway] = gateways;
  const urls = gateways.map(({ url }) => url);
  const fresh = await visitorOf(urls, gateway.publicUrl, 7);
  t.equal(outcomeOf(await fresh.call(0)), '200 of person 7', 'people still sign in');
  t.equal(people.totalRefreshes(), 0, 'no refresh without the lock');

  await redis.start();
  t.strictSame(await servedWrongly(visitors), [], 'after the outage all sessions are valid');
  t.equal(people.totalRefreshes(), VISITORS, 'one refresh for each session');
});

t.test('Redis restarts empty during refreshes', options, async (t) => {
  const site = await openTwoGateways(t, program);
  const visitors = await signAllIn(site);
  site.expire();
  const { allAsked, release } = holdRefreshes(site, VISITORS);
  const asked = askBoth(visitors);
  await allAsked;
  await site.redis.kill();
  await noticed(site.gateways, false);
  await site.redis.start();
  await noticed(site.gateways, true);
  release();
  t.strictSame(wrongOf(await asked), [], 'during the outage');
  t.strictSame(await servedWrongly(visitors), [], 'afterwards all sessions are valid');
  t.equal(site.people.totalRefreshes(), VISITORS, 'one refresh for each session');
});

t.test('a rejected token ends the session only if no other gateway has refreshed it', options, async (t) => {
  const site = await openTwoGateways(t, program);
  const { gateways, people, redis } = site;
  const client = new Redis(redis.url);
  t.teardown(async () => client.disconnect());
  const urls = gateways.map(({ url }) => url);
  const visitor = await visitorOf(urls, gateways[0].publicUrl, 7);
  site.expire();
  const { allAsked, release } = holdRefreshes(site, 1);
  const first = visitor.call(0);
  await allAsked;
  people.beforeRefused = async () => {
    release();
    await until(async () => (await client.keys('*:newest')).length > 0);
  };
  // As if the first gateway had crashed: the second one refreshes with used tokens.
  const [lock = ''] = await client.keys('*:lock');
  const second = visitor.call(1);
  const refreshes = () => gateways[0].identity.seen('POST /user/refresh_token').length;
  await until(async () => {
    await client.set(lock, 'nobody', 'PX', 1);
    return refreshes() === 2;
  });
  t.equal(outcomeOf(await second), '200 of person 7', 'the second adopts what the first has got');
  t.equal(outcomeOf(await first), '200 of person 7');
  t.equal(people.totalRefreshes(), 1);
  t.equal(refreshes(), 2, 'one of them was rejected');

  gateways[0].identity.on('POST /user/refresh_token', () => stubAnswer(401, { code: 401 }));
  site.expire();
  t.equal(await callUntilServed(visitor, 0), '401 SESSION_ENDED', 'a session that is over is over');
});
