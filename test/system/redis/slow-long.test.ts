import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { personOf, scriptPeople } from '../../conformance/users.ts';
import { spawnGateway } from '../../support/gateway-process.ts';
import { NO_REDIS, redisProgram, startRedis } from '../../support/redis.ts';
import { startStub } from '../../support/stub-upstream.ts';
import {
  askBoth,
  servedWrongly,
  standStillBefore,
  standStillDuring,
  visitorOf,
  wrongOf,
} from '../../support/two-gateways.ts';

const program = redisProgram() ?? '';
const options = program === '' ? { skip: NO_REDIS } : {};
const PUBLIC_URL = 'http://localhost:8080';
const PERSONS = 100;
/** Access tokens are valid for 15 minutes. */
const ROUND = 16 * 60_000;

for (const rotates of [true, false]) {
  const how = rotates ? 'refresh tokens good once' : 'refresh tokens good again';
  t.test(`Redis is paused for 10 s before a refresh, ${how}`, options, (t) =>
    standStillBefore(t, program, { pause: 10_000, rotates }),
  );
  t.test(`Redis is paused for 10 s during a refresh, ${how}`, options, (t) =>
    standStillDuring(t, program, { pause: 10_000, rotates }),
  );
}

/** Runs two busy processes per processor until the test ends. */
function keepProcessorsBusy(t: { teardown(work: () => Promise<void>): void }): void {
  for (let index = 0; index < 2 * availableParallelism(); index += 1) {
    const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    t.teardown(async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    });
  }
}

t.test('two processes and a paused Redis, on a busy machine', options, async (t) => {
  const redis = await startRedis(t, program);
  const [upstream, identity] = [await startStub(t), await startStub(t)];
  const settings = {
    PUBLIC_URL,
    COMMUNITY_URL: upstream.url,
    IDENTITY_URL: identity.url,
    REDIS_URL: redis.url,
    SESSION_KEYS: randomBytes(32).toString('base64url'),
    RATE_LIMIT_FACTOR: '0',
  };
  const gateways = await Promise.all([spawnGateway(settings), spawnGateway(settings)]);
  for (const gateway of gateways) t.teardown(gateway.stop);
  const people = scriptPeople(identity);
  upstream.otherwise((seen) => ({ person: personOf(seen) }));
  const urls = gateways.map(({ url }) => url);
  const persons = Array.from({ length: PERSONS }, (_none, index) => 1000 + index);
  const visitors = await Promise.all(persons.map((person) => visitorOf(urls, PUBLIC_URL, person)));

  keepProcessorsBusy(t);
  for (const [index, pause] of [0, 300, 700, 2000].entries()) {
    const round = index + 1;
    for (const gateway of gateways) gateway.setAhead(round * ROUND);
    people.ahead = round * ROUND;
    if (pause > 0) redis.pause();
    const asked = askBoth(visitors);
    await delay(pause);
    redis.resume();
    t.strictSame(wrongOf(await asked), [], `${pause} ms: during the pause`);
    t.strictSame(await servedWrongly(visitors), [], `${pause} ms: afterwards all sessions are valid`);
    t.equal(people.totalRefreshes(), round * PERSONS, `${pause} ms: one refresh for each session`);
  }
});
