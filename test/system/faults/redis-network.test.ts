import t from 'tap';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { NO_REDIS, redisProgram, startRedis } from '../../support/redis.ts';
import { startClients, waitForRecovery } from './support/clients.ts';
import { type FaultyProxy, type NetworkFault, startFaultyProxy } from './support/faulty-proxy.ts';
import { isFull, record } from './support/results.ts';

const program = redisProgram() ?? '';
const options = program === '' ? { skip: NO_REDIS } : {};
type Test = Parameters<typeof startGateway>[0] & { teardown(work: () => Promise<void>): void };

const KEYS = [Buffer.alloc(32, 7)];

async function startRedisBehindProxy(t: Test) {
  const redis = await startRedis(t, program);
  const proxy = await startFaultyProxy(t, { path: redis.url });
  return { redis, proxy };
}

/** Starts a gateway that reaches Redis through the proxy; `share` has the same services. */
async function open(t: Test, proxy: FaultyProxy, share?: TestGateway): Promise<TestGateway> {
  const settings = { REDIS_URL: `redis://127.0.0.1:${proxy.port}`, RATE_LIMIT_FACTOR: '1000' };
  const gateway = await startGateway(t, { now: Date.now, settings, keys: KEYS, ...(share && { share }) });
  gateway.community.otherwise(() => ({ done: true }));
  return gateway;
}

const linesWith = (gateway: TestGateway, words: RegExp) =>
  gateway.lines().filter(({ msg }) => words.test(String(msg)));
const isUp = async (gateway: TestGateway): Promise<number> =>
  (await gateway.registry.getSingleMetric('bff_redis_up')?.get())?.values[0]?.value ?? Number.NaN;

/** Clients with a session; each call asks Redis whether the session was revoked. */
async function startSignedInClients(gateway: TestGateway) {
  const browser = gateway.browser();
  await browser.signIn();
  return startClients(
    async () => {
      const answer = await browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
      return String(answer.status);
    },
    { visitors: 3, pause: 20 },
  );
}

const FAULTS: [string, NetworkFault, RegExp][] = [
  ['unreachable', { kind: 'refuse' }, /closed|ECONN/],
  [isFull ? '5 s slow' : '0.7 s slow', { kind: 'slow', by: isFull ? 5000 : 700 }, /timed out/],
  ['reset in the middle of a response', { kind: 'cut', after: 3 }, /closed|ECONNRESET/],
  ['sends random bytes', { kind: 'garbage' }, /./],
];

for (const [what, networkFault, reason] of FAULTS) {
  t.test(`Redis ${what}: requests succeed, one log line, recovery`, options, async (t) => {
    const { proxy } = await startRedisBehindProxy(t);
    const gateway = await open(t, proxy);
    const other = await open(t, proxy, gateway);
    await waitForRecovery(async () => (await isUp(gateway)) === 1 && (await isUp(other)) === 1);
    const clients = await startSignedInClients(gateway);
    const signingOut = gateway.browser();
    await signingOut.signIn();
    const cookies = [...signingOut.cookies];

    // A busy machine may have made Redis too slow for a moment before the fault.
    await waitForRecovery(async () => (await isUp(gateway)) === 1);
    const earlier = linesWith(gateway, /Redis unavailable/).length;
    await proxy.set(networkFault);
    await waitForRecovery(async () => (await isUp(gateway)) === 0);
    const [line, ...more] = linesWith(gateway, /Redis unavailable/).slice(earlier);
    t.match(line, { level: 'warn', reason });
    t.strictSame(more, [], 'logged once');
    const signingIn = gateway.browser();
    t.equal((await signingIn.signIn()).status, 303, 'users can sign in');
    t.equal((await signingOut.call('/api/auth/logout', { method: 'POST' })).status, 200, 'and sign out');

    await proxy.set({ kind: 'pass' });
    const seconds = await waitForRecovery(
      async () => (await isUp(gateway)) === 1 && (await isUp(other)) === 1,
    );
    const stale = other.browser();
    for (const [name, value] of cookies) stale.cookies.set(name, value);
    await waitForRecovery(async () => {
      const answer = await stale.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
      for (const [name, value] of cookies) stale.cookies.set(name, value);
      return answer.status === 401;
    });
    t.pass('the other gateway knows the session revoked during the fault');
    t.hasStrict(linesWith(gateway, /Redis available again/).at(-1), { level: 'info' });
    const lost = await clients.stop('200');
    t.strictSame(Object.keys(clients.outcomes), ['200']);
    record({
      fault: `Redis: ${what}`,
      seen: 'nothing while access tokens are valid, then 503 with Retry-After; sign-outs and rate limits apply to one gateway only',
      logged: `warn "Redis unavailable …", once, \`reason\`; then info "Redis available again"; \`bff_redis_up\` 0`,
      lost,
      recovery_seconds: seconds,
    });
  });
}

t.test('Redis unavailable at start: the gateway serves requests and connects later', options, async (t) => {
  const { proxy } = await startRedisBehindProxy(t);
  await proxy.set({ kind: 'refuse' });
  const gateway = await open(t, proxy);
  t.equal(await isUp(gateway), 0);
  t.equal(linesWith(gateway, /Redis unavailable/).length, 1);
  const clients = await startSignedInClients(gateway);
  await proxy.set({ kind: 'pass' });
  const seconds = await waitForRecovery(async () => (await isUp(gateway)) === 1);
  t.equal(await clients.stop('200'), 0);
  record({
    fault: 'Redis: unreachable at the start',
    seen: 'nothing',
    logged: 'warn "Redis unavailable …", once; `bff_redis_up` 0',
    lost: 0,
    recovery_seconds: seconds,
  });
});
