import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { installedProgram, notInstalled } from '../../support/programs.ts';
import { NO_REDIS, redisProgram } from '../../support/redis.ts';
import { HOUR, newSession, openOne, slowRefresh } from '../../support/shared-state.ts';
import { until } from '../../support/until.ts';
import { startFaultyProxy } from './support/faulty-proxy.ts';
import { inSync, type RedisServer, startMember, startRedisServer } from './support/redis-servers.ts';
import { record } from './support/results.ts';

const program = redisProgram() ?? '';
const options = program === '' ? { skip: NO_REDIS } : {};
const sentinelProgram = installedProgram('redis-sentinel', 'valkey-sentinel') ?? '';
const withSentinel =
  sentinelProgram === '' ? { skip: notInstalled('redis-sentinel', 'redis-sentinel') } : options;

type Test = Parameters<typeof startMember>[0];
type Asserting = Test & {
  equal(found: unknown, wanted: unknown, message: string): unknown;
  strictSame(found: unknown, wanted: unknown, message: string): unknown;
};

/** A command of a healthy Redis is never late on a busy machine. */
const NEVER_LATE = { redis: { command: 60_000 } };

async function startPair(t: Test): Promise<{ primary: RedisServer; replica: RedisServer }> {
  const primary = await startMember(t, program);
  const replica = await startMember(t, program, [`replicaof 127.0.0.1 ${primary.port}`]);
  await inSync(replica);
  return { primary, replica };
}

/** Two gateways before and after `failOver`: what one ends the other knows, and a session is refreshed once. */
async function survives(t: Asserting, url: string, failOver: () => Promise<void>): Promise<number> {
  const [one, two] = [await openOne(t, url, NEVER_LATE), await openOne(t, url, NEVER_LATE)];
  t.strictSame([one.states, two.states], [[true], [true]], 'both are connected');
  await one.state.revoke('before', Date.now() + HOUR);
  t.equal(await two.state.isRevoked('before'), true, 'they share ended sessions');
  await failOver();
  const started = performance.now();
  await until(() => one.states.length >= 3 && one.states.at(-1) && two.states.at(-1));
  const seconds = (performance.now() - started) / 1000;
  await one.state.revoke('after', Date.now() + HOUR);
  await until(() => two.state.isRevoked('after'));
  await until(() => two.state.isRevoked('before'));
  const { calls, work } = slowRefresh(1);
  const session = newSession();
  const renewed = await Promise.all([one, two].map(({ state }) => state.renewOnce(session, work)));
  t.strictSame(
    renewed.map(({ generation }) => generation),
    [1, 1],
    'and refreshes',
  );
  t.equal(calls.length, 1, 'one of them, for both');
  return seconds;
}

t.test('R 9.31: the primary is demoted and keeps its connections', options, async (t) => {
  const { primary, replica } = await startPair(t);
  const behind = { host: '127.0.0.1', port: primary.port };
  const { port } = await startFaultyProxy(t, behind);
  const seconds = await survives(t, `redis://127.0.0.1:${port}`, async () => {
    await replica.client.replicaof('NO', 'ONE');
    behind.port = replica.port;
    await primary.client.replicaof('127.0.0.1', replica.port);
  });
  record({
    fault: 'Redis: the address moves to a replica, the old primary is demoted and keeps its connections',
    seen: 'nothing while access tokens are valid, then up to three seconds of waiting',
    logged: 'warn "Redis unavailable …" with READONLY, then info "Redis available again"',
    lost: 0,
    recovery_seconds: seconds,
  });
});

const OPERATIONS = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');

/** The rule for a user of Redis, or of the sentinels, in docs/operations.md. */
function documentedRule(server: 'redis' | 'sentinel'): string {
  const [redis = '', sentinel = ''] = OPERATIONS.matchAll(/ACL SETUSER \S+ on >SECRET (.*)/g).map(
    ([, rule]) => rule,
  );
  return server === 'redis' ? redis : sentinel;
}

const CLUSTER_RULE = '+cluster|slots +cluster|info';

async function startSentinel(t: Test, primary: RedisServer): Promise<RedisServer> {
  return startRedisServer(t, sentinelProgram, [
    `sentinel monitor main 127.0.0.1 ${primary.port} 1`,
    'sentinel down-after-milliseconds main 1000',
    'sentinel failover-timeout main 5000',
    `user plugin-square on >SECRET ${documentedRule('sentinel')}`,
  ]);
}

/** Waits until a sentinel can promote the replica. */
async function knowsReplica({ client }: RedisServer): Promise<void> {
  await until(async () => {
    const replicas = await client.call('SENTINEL', 'REPLICAS', 'main');
    return JSON.stringify(replicas).includes('"master-link-status","ok"');
  });
}

for (const [how, failOver] of [
  ['is killed', ({ primary }: { primary: RedisServer }) => primary.kill()],
  [
    'is demoted by hand',
    async ({ sentinel }: { sentinel: RedisServer }) =>
      void (await sentinel.client.call('SENTINEL', 'FAILOVER', 'main')),
  ],
] as const) {
  t.test(`R 9.31: a primary of Sentinel ${how}`, withSentinel, async (t) => {
    const { primary } = await startPair(t);
    const sentinel = await startSentinel(t, primary);
    await knowsReplica(sentinel);
    const url = `redis+sentinel://127.0.0.1:${sentinel.port}/main?sentinel_username=plugin-square&sentinel_password=SECRET`;
    const seconds = await survives(t, url, () => failOver({ primary, sentinel }));
    record({
      fault: `Redis: a primary of Sentinel ${how}`,
      seen: 'nothing while access tokens are valid, then waiting until Sentinel has decided and three seconds more',
      logged: 'warn "Redis unavailable …", then info "Redis available again"',
      lost: 0,
      recovery_seconds: seconds,
    });
  });
}

t.test('R 9.31: a replica of a cluster takes over', options, async (t) => {
  t.ok(OPERATIONS.includes(CLUSTER_RULE));
  const user = `user plugin-square on >SECRET ${documentedRule('redis')} ${CLUSTER_RULE}`;
  const lines = ['cluster-enabled yes', 'cluster-node-timeout 2000', user];
  const primary = await startMember(t, program, lines);
  const replica = await startMember(t, program, lines);
  await primary.client.cluster('ADDSLOTSRANGE', 0, 16_383);
  await replica.client.cluster('MEET', '127.0.0.1', primary.port);
  const id = String(await primary.client.cluster('MYID'));
  await until(async () => String(await replica.client.cluster('NODES')).includes(id));
  await replica.client.cluster('REPLICATE', id);
  await inSync(replica);
  await until(async () => (await primary.client.cluster('INFO')).includes('cluster_state:ok'));
  await survives(
    t,
    `redis+cluster://plugin-square:SECRET@127.0.0.1:${primary.port},127.0.0.1:${replica.port}`,
    async () => {
      await primary.kill();
      await replica.client.cluster('FAILOVER', 'TAKEOVER');
    },
  );
});

t.test('the documented user of Redis may do what the gateway does, and no more', options, async (t) => {
  const { client, port } = await startMember(t, program);
  const rule = documentedRule('redis').split(' ');
  await client.call('ACL', 'SETUSER', 'plugin-square', 'on', '>SECRET', ...rule);
  await client.config('RESETSTAT');
  const own = async () =>
    [...(await client.info('commandstats')).matchAll(/^cmdstat_([a-z|]+):/gm)].map(([, name]) => name);
  const url = `redis://plugin-square:SECRET@127.0.0.1:${port}`;
  const { state, store, states, count } = await openOne(t, url, NEVER_LATE);
  const until = Date.now() + HOUR;
  const session = newSession({ ticket: 'ticket' });
  await state.useOnce('nonce', until);
  await state.revokeAll('sub:7', Date.now(), until);
  await state.revokedAllAt(['sub:7']);
  const renewed = await state.renewOnce(session, slowRefresh(1).work);
  await state.newerThan(session);
  await state.waitForRenewal(session.id);
  await state.revoke(session.id, until);
  await state.isRevoked('other');
  await count('key', 1000);
  await store?.put(renewed, HOUR);
  await store?.get('ticket');
  await store?.remove('ticket');
  t.strictSame(states, [true]);
  t.strictSame(await client.call('ACL', 'LOG'), [], 'nothing was refused');
  const ours = (await own()).filter((name) => !/^(acl|config|auth|client|hello)/.test(name ?? ''));
  const allowed = rule.flatMap((word) => /^\+(\S+)/.exec(word)?.[1] ?? []);
  t.strictSame(ours.toSorted(), allowed.toSorted());
});
