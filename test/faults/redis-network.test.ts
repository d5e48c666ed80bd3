import t from 'tap';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { NO_REDIS, redisProgram, startRedis } from '../support/redis.ts';
import { type Edge, openEdge, type Weather } from './support/edge.ts';
import { isFull, record } from './support/results.ts';
import { crowd, healed } from './support/visitors.ts';

const program = redisProgram() ?? '';
const options = program === '' ? { skip: NO_REDIS } : {};
type Test = Parameters<typeof startGateway>[0] & { teardown(work: () => Promise<void>): void };

const KEYS = [Buffer.alloc(32, 7)];

async function openSite(t: Test) {
  const redis = await startRedis(t, program);
  const edge = await openEdge(t, { path: redis.url });
  return { redis, edge };
}

/** A gateway that reaches Redis through the edge; the next one stands before the same services. */
async function open(t: Test, edge: Edge, share?: TestGateway): Promise<TestGateway> {
  const settings = { REDIS_URL: `redis://127.0.0.1:${edge.port}`, RATE_LIMIT_FACTOR: '1000' };
  const gateway = await startGateway(t, { settings, keys: KEYS, ...(share && { share }) });
  gateway.community.otherwise(() => ({ done: true }));
  return gateway;
}

const said = (gateway: TestGateway, words: RegExp) =>
  gateway.lines().filter(({ msg }) => words.test(String(msg)));
const isUp = async (gateway: TestGateway): Promise<number> =>
  (await gateway.registry.getSingleMetric('bff_redis_up')?.get())?.values[0]?.value ?? Number.NaN;

/** Calls of somebody signed in, each of which asks Redis whether the session was ended. */
async function callers(gateway: TestGateway) {
  const browser = gateway.browser();
  await browser.signIn();
  return crowd(
    async () => {
      const answer = await browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
      return String(answer.status);
    },
    { visitors: 3, breath: 20 },
  );
}

const FAULTS: [string, Weather, RegExp][] = [
  ['away', { kind: 'refuse' }, /closed|ECONN/],
  [isFull ? '5 s slow' : '0.7 s slow', { kind: 'slow', by: isFull ? 5000 : 700 }, /timed out/],
  ['reset mid-answer', { kind: 'cut', after: 3 }, /closed|ECONNRESET/],
  ['answers garbage', { kind: 'garbage' }, /./],
];

for (const [what, weather, reason] of FAULTS) {
  t.test(`Redis ${what}: nobody notices, the log says so once, and it heals`, options, async (t) => {
    const { edge } = await openSite(t);
    const gateway = await open(t, edge);
    const other = await open(t, edge, gateway);
    await healed(async () => (await isUp(gateway)) === 1 && (await isUp(other)) === 1);
    const asking = await callers(gateway);
    const leaving = gateway.browser();
    await leaving.signIn();
    const cookies = [...leaving.cookies];

    await edge.set(weather);
    await healed(async () => (await isUp(gateway)) === 0);
    const [line, ...more] = said(gateway, /Redis unavailable/);
    t.match(line, { level: 'warn', reason });
    t.strictSame(more, [], 'said once');
    const arriving = gateway.browser();
    t.equal((await arriving.signIn()).status, 303, 'people still sign in');
    t.equal((await leaving.call('/api/auth/logout', { method: 'POST' })).status, 200, 'and out');

    await edge.set({ kind: 'pass' });
    const seconds = await healed(async () => (await isUp(gateway)) === 1 && (await isUp(other)) === 1);
    const stale = other.browser();
    for (const [name, value] of cookies) stale.cookies.set(name, value);
    await healed(async () => {
      const answer = await stale.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
      for (const [name, value] of cookies) stale.cookies.set(name, value);
      return answer.status === 401;
    });
    t.pass('what was ended in the meantime is over at the other gateway too');
    t.hasStrict(said(gateway, /Redis available again/).at(-1), { level: 'info' });
    const lost = await asking.leave('200');
    t.strictSame(Object.keys(asking.outcomes), ['200']);
    record({
      fault: `Redis: ${what}`,
      seen: 'nothing while tokens last, then 503 with Retry-After; sign-outs and limits hold inside one gateway alone',
      logged: `warn "Redis unavailable …", once, \`reason\`; then info "Redis available again"; \`bff_redis_up\` 0`,
      lost,
      recovery_seconds: seconds,
    });
  });
}

t.test('Redis away at the start: the gateway serves, and finds it when it comes', options, async (t) => {
  const { edge } = await openSite(t);
  await edge.set({ kind: 'refuse' });
  const gateway = await open(t, edge);
  t.equal(await isUp(gateway), 0);
  t.equal(said(gateway, /Redis unavailable/).length, 1);
  const asking = await callers(gateway);
  await edge.set({ kind: 'pass' });
  const seconds = await healed(async () => (await isUp(gateway)) === 1);
  t.equal(await asking.leave('200'), 0);
  record({
    fault: 'Redis: away at the start',
    seen: 'nothing',
    logged: 'warn "Redis unavailable …", once; `bff_redis_up` 0',
    lost: 0,
    recovery_seconds: seconds,
  });
});
