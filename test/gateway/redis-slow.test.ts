import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import t from 'tap';
import { NO_REDIS, redisProgram } from '../support/redis.ts';
import { stubAnswer } from '../support/stub-upstream.ts';
import {
  askBoth,
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
} from '../support/two-gateways.ts';
import { until } from '../support/until.ts';

const program = redisProgram() ?? '';
const options = program === '' ? { skip: NO_REDIS } : {};

for (const [pause, rotates] of [
  [300, true],
  [700, true],
  [700, false],
  [2000, true],
] as const) {
  const how = rotates ? 'refresh tokens good once' : 'refresh tokens good again';
  t.test(`Redis stands still for ${pause} ms before a refresh, ${how}`, options, (t) =>
    standStillBefore(t, program, { pause, rotates }),
  );
  t.test(`Redis stands still for ${pause} ms while a refresh is under way, ${how}`, options, (t) =>
    standStillDuring(t, program, { pause, rotates }),
  );
}

t.test('Redis down for good: expired tokens are 503 with Retry-After, others go on', options, async (t) => {
  const site = await openTwoGateways(t, program);
  const { people, gateways, redis } = site;
  const visitors = await signAllIn(site);
  await redis.kill();
  await noticed(gateways, false);
  t.strictSame(await servedWrongly(visitors), [], 'tokens that hold go on being served');
  for (const { clock } of gateways) clock.ahead = 6 * 60_000;
  t.strictSame(await servedWrongly(visitors), [], 'also when it is time to validate the session');
  t.strictSame(gateways[0].identity.seen('GET /user/valid'), [], 'which waits for Redis');

  site.expire();
  t.strictSame(new Set(await askBoth(visitors)), new Set(['503, retry after 2']));
  const [gateway] = gateways;
  const urls = gateways.map(({ url }) => url);
  const fresh = await visitorOf(urls, gateway.publicUrl, 7);
  t.equal(outcomeOf(await fresh.call(0)), '200 of person 7', 'people still sign in');
  t.equal(people.totalRefreshes(), 0, 'nobody refreshes without the lock');

  await redis.start();
  t.strictSame(await servedWrongly(visitors), [], 'once it is back everybody is signed in');
  t.equal(people.totalRefreshes(), VISITORS, 'one refresh for each session');
});

t.test('Redis restarts empty while refreshes are under way', options, async (t) => {
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
  t.strictSame(wrongOf(await asked), [], 'while it was away');
  t.strictSame(await servedWrongly(visitors), [], 'afterwards everybody is signed in');
  t.equal(site.people.totalRefreshes(), VISITORS, 'one refresh for each session');
});

t.test('a refusal is believed only when no other gateway has renewed the session', options, async (t) => {
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
  // As if the first gateway had been thought dead: the second one refreshes with tokens that are used up.
  const [lock = ''] = await client.keys('*:lock');
  const second = visitor.call(1);
  const refreshes = () => gateways[0].identity.seen('POST /user/refresh_token').length;
  while (refreshes() < 2) {
    await client.set(lock, 'nobody', 'PX', 1);
    await delay(50);
  }
  t.equal(outcomeOf(await second), '200 of person 7', 'the second adopts what the first has got');
  t.equal(outcomeOf(await first), '200 of person 7');
  t.equal(people.totalRefreshes(), 1);
  t.equal(refreshes(), 2, 'one of them was refused');

  gateways[0].identity.on('POST /user/refresh_token', () => stubAnswer(401, { code: 401 }));
  site.expire();
  t.equal(outcomeOf(await visitor.call(0)), '401 SESSION_ENDED', 'a session that is over is over');
});
