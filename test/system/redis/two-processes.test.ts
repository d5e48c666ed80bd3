import { randomBytes } from 'node:crypto';
import t from 'tap';
import { type People, personOf, scriptPeople } from '../../conformance/users.ts';
import { type Browser, openBrowser } from '../../support/browser.ts';
import { type GatewayProcess, spawnGateway } from '../../support/gateway-process.ts';
import { NO_REDIS, redisProgram, startRedis } from '../../support/redis.ts';
import { type StubUpstream, startStub } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';

const SESSIONS = 200;
const ROUNDS = 3;
const CALLS_A_ROUND = 3;
/** Access tokens are valid for 15 minutes; each round starts after they have expired. */
const ROUND = 16 * 60_000;
const PUBLIC_URL = 'http://localhost:8080';

type Site = { gateways: GatewayProcess[]; upstream: StubUpstream; people: People };

async function openSite(t: Parameters<typeof startStub>[0], program: string): Promise<Site> {
  const redis = await startRedis(t, program);
  const [upstream, identity] = [await startStub(t), await startStub(t)];
  const settings = {
    PUBLIC_URL,
    COMMUNITY_URL: upstream.url,
    IDENTITY_URL: identity.url,
    REDIS_URL: redis.url,
    SESSION_KEYS: randomBytes(32).toString('base64url'),
    RATE_LIMIT_FACTOR: '0',
    LOG_LEVEL: 'debug',
  };
  const gateways = await Promise.all([spawnGateway(settings), spawnGateway(settings)]);
  for (const gateway of gateways) t.teardown(gateway.stop);
  const people = scriptPeople(identity);
  upstream.otherwise((seen) => ({ person: personOf(seen), path: seen.path }));
  return { gateways, upstream, people };
}

/** A browser that a load balancer sends to either gateway. */
type Visitor = { person: number; at: Browser[]; received(): string };

async function signIn(gateways: readonly GatewayProcess[], person: number): Promise<Visitor> {
  const at = gateways.map(({ url }) => openBrowser(url, PUBLIC_URL));
  const [first, second] = person % 2 === 0 ? at : at.toReversed();
  if (!first || !second) throw new Error('two gateways are needed');
  await first.signIn({ code: `person-${person}` });
  for (const [name, value] of first.cookies) second.cookies.set(name, value);
  return { person, at, received: () => at.flatMap(({ received }) => received).join('\n') };
}

async function call({ person, at }: Visitor, index: number): Promise<{ person: unknown; status: number }> {
  const browser = at[(person + index) % at.length];
  if (!browser) throw new Error('two gateways are needed');
  const ask = () => browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
  // On a busy machine Redis may be slow; a session then waits and is not lost.
  const answer = await until(async () => {
    const found = await ask();
    return found.status !== 503 && found;
  });
  for (const other of at) for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  return { person: answer.json().data?.person, status: answer.status };
}

const program = redisProgram();
const skip = program === undefined ? NO_REDIS : false;

t.test(`${SESSIONS} sessions on two gateways that share a real Redis`, { skip }, async (t) => {
  const { gateways, upstream, people } = await openSite(t, program ?? '');
  const persons = Array.from({ length: SESSIONS }, (_none, index) => 1000 + index);
  const visitors = await Promise.all(persons.map((person) => signIn(gateways, person)));
  t.ok(
    visitors.every(({ at }) => at.every(({ cookies }) => cookies.has('session'))),
    'all are signed in',
  );

  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const gateway of gateways) gateway.setAhead(round * ROUND);
    people.ahead = round * ROUND;
    const outcomes = await Promise.all(
      visitors.flatMap((visitor) =>
        Array.from({ length: CALLS_A_ROUND }, async (_none, index) => ({
          wanted: visitor.person,
          ...(await call(visitor, index)),
        })),
      ),
    );
    const others = outcomes.filter(({ wanted, person, status }) => status !== 200 || person !== wanted);
    t.strictSame(others, [], `round ${round}: every user gets their own data`);
    t.strictSame(
      persons.filter((person) => people.refreshes.get(person) !== round),
      [],
      `round ${round}: one refresh for each session and expiry`,
    );
  }
  t.equal(upstream.requests.length, SESSIONS * ROUNDS * CALLS_A_ROUND, 'every call arrived once');

  const [visitor] = visitors;
  if (!visitor) throw new Error('nobody is signed in');
  const [here, there] = visitor.at;
  const held = [...(here?.cookies ?? [])];
  await here?.call('/api/auth/logout', { method: 'POST' });
  for (const [name, value] of held) there?.cookies.set(name, value);
  const replayed = await there?.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
  t.equal(replayed?.status, 401, 'a sign-out on one gateway is effective on the other');

  const out = [...visitors.map(({ received }) => received()), ...gateways.map(({ output }) => output())].join(
    '\n',
  );
  t.ok(people.secrets.length >= 2 * SESSIONS * (ROUNDS + 1));
  t.ok(out.length > SESSIONS * 1000, 'there is enough text to search');
  t.notMatch(out, /CANARY/, 'no token in any byte or line');
  t.notMatch(out, /code=person-/, 'and no code');
});
