import { Redis } from 'ioredis';
import t from 'tap';
import { openBrowser } from '../support/browser.ts';
import { NO_REDIS, redisProgram } from '../support/redis.ts';
import { stubAnswer } from '../support/stub-upstream.ts';
import { openTwoGateways } from '../support/two-gateways.ts';

const program = redisProgram();
const skip = program === undefined ? NO_REDIS : false;

t.test('a refusal is not believed where another gateway has renewed the session', { skip }, async (t) => {
  const { redis, gateways, people, expire } = await openTwoGateways(t, program ?? '');
  const [first, second] = gateways;
  const [here, there] = gateways.map(({ url }) => openBrowser(url, first.publicUrl));
  await here?.signIn({ code: 'person-7' });
  const before = here?.cookies.get('session') ?? '';
  expire();
  const call = { method: 'POST', body: '{}' };
  t.equal((await here?.call('/api/cmt/plugin/user', call))?.status, 200);

  // The other gateway learns of it only while its own refresh is under way.
  const client = new Redis(redis.url);
  t.teardown(() => client.disconnect());
  const [name = ''] = await client.keys('*:newest');
  const published = await client.hgetall(name);
  await client.del(name);
  second.identity.on('POST /user/refresh_token', async () => {
    await client.hset(name, published);
    return stubAnswer(401, { code: 401, message: 'expired' });
  });
  there?.cookies.set('session', before);
  const answer = await there?.call('/api/cmt/plugin/user', call);
  t.equal(answer?.status, 200);
  t.equal(answer?.json().data?.person, 7);
  t.equal(people.totalRefreshes(), 1);
});
