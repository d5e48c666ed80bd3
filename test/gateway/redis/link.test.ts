import { once } from 'node:events';
import type { Socket } from 'node:net';
import t from 'tap';
import { HOUR, openOne } from '../../support/shared-state.ts';
import { reply, startStubRedis } from '../../support/stub-redis.ts';
import { until } from '../../support/until.ts';

const memory = (policy: string) => reply.text(`# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:${policy}\r\n`);

/** What a healthy server answers. */
function healthy([name = '', ...args]: readonly string[], policy = 'noeviction'): string {
  if (name.toLowerCase() === 'info') return args[0] === 'memory' ? memory(policy) : reply.text('role:master');
  if (/^(eval|pttl)$/i.test(name)) return reply.number(0);
  return name.toLowerCase() === 'get' ? reply.none : reply.ok;
}

/** Channel of Sentinel. */
const NEWS = '+switch-master';

t.test('R 9.31: a server that is not the primary is left for the one behind the same name', async (t) => {
  for (const [refused, error] of [
    ['set', "READONLY You can't write against a read only replica."],
    [
      'eval',
      "ERR Error running script: @user_script: -READONLY You can't write against a read only replica.",
    ],
    ['set', 'LOADING Redis is loading the dataset in memory'],
    ['pttl', "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."],
    ['set', 'CLUSTERDOWN The cluster is down'],
    ['set', 'NOREPLICAS Not enough good replicas to write.'],
  ] as const) {
    await t.test(error, async (t) => {
      let isDemoted = false;
      const used = new Set<number>();
      const url = await startStubRedis(t, (command, connection) => {
        used.add(connection);
        const isRefused = isDemoted && connection === 1 && command[0]?.toLowerCase() === refused;
        return isRefused ? reply.error(error) : healthy(command);
      });
      const one = await openOne(t, url);
      t.strictSame(one.states, [true]);
      isDemoted = true;
      await until(async () => {
        await one.state.isRevoked('x');
        await one.count('k', 1000);
        return one.states.length === 3;
      });
      t.strictSame(one.states, [true, false, true]);
      t.strictSame([...used], [1, 2]);
    });
  }
});

t.test('R 9.31: news of a fail-over while Sentinel is asked for the primary', async (t) => {
  let isMoving = false;
  const primary = new URL(
    await startStubRedis(t, (command, _, socket) => {
      if (isMoving) socket.destroy();
      return healthy(command);
    }),
  );
  const subscribed = Promise.withResolvers<Socket>();
  const sentinel = await startStubRedis(t, async ([name = '', ask], _, socket) => {
    if (name === 'subscribe') {
      subscribed.resolve(socket);
      return reply.push([reply.text('subscribe'), reply.text(NEWS), reply.number(1)]);
    }
    if (ask === 'sentinels') return reply.list([]);
    if (ask !== 'get-master-addr-by-name') return reply.ok;
    if (isMoving) {
      isMoving = false;
      const listener = await subscribed.promise;
      const hasHeard = once(listener, 'close');
      listener.write(reply.push([reply.text('message'), reply.text(NEWS), reply.text('main …')]));
      await hasHeard;
    }
    return reply.list([reply.text(primary.hostname), reply.text(primary.port)]);
  });
  const one = await openOne(t, `${sentinel.replace('redis:', 'redis+sentinel:')}/main`);
  await subscribed.promise;
  t.strictSame(one.states, [true]);
  isMoving = true;
  await until(async () => {
    await one.state.isRevoked('x');
    return one.states.length === 3;
  });
  t.strictSame(one.states, [true, false, true]);
});

t.test('other refusals of a server keep the connection', async (t) => {
  const used = new Set<number>();
  let refusals = 0;
  const url = await startStubRedis(t, (command, connection) => {
    used.add(connection);
    if (command[0]?.toLowerCase() !== 'set' || refusals >= 2) return healthy(command);
    refusals += 1;
    return reply.error("OOM command not allowed when used memory > 'maxmemory'.");
  });
  const one = await openOne(t, url);
  await until(() => one.states.length === 2);
  t.strictSame(one.states, [false, true]);
  t.strictSame([...used], [1]);
});

/** Sends a command, and tells whether the latest state is this one. */
async function told({ state, told }: Awaited<ReturnType<typeof openOne>>, evicts: string | null) {
  await state.isRevoked('x');
  const latest = told.at(-1);
  return latest?.isUp === true && latest.evicts === evicts;
}

t.test('R 9.31: a policy that evicts keys is told at the start and after each new connection', async (t) => {
  const POLICIES = ['allkeys-lru', 'volatile-ttl', 'noeviction'];
  let isCut = false;
  const url = await startStubRedis(t, (command, connection) => {
    if (!isCut) return healthy(command, POLICIES[connection - 1]);
    isCut = false;
    return reply.error('READONLY');
  });
  const one = await openOne(t, url);
  await until(() => told(one, 'allkeys-lru'));
  isCut = true;
  await until(() => told(one, 'volatile-ttl'));
  isCut = true;
  await until(() => told(one, null));
  t.strictSame(one.told, [
    { isUp: true, evicts: null },
    { isUp: true, evicts: 'allkeys-lru' },
    { isUp: false, evicts: 'allkeys-lru' },
    { isUp: true, evicts: 'allkeys-lru' },
    { isUp: true, evicts: 'volatile-ttl' },
    { isUp: false, evicts: 'volatile-ttl' },
    { isUp: true, evicts: 'volatile-ttl' },
    { isUp: true, evicts: null },
  ]);
  const lines = one
    .log()
    .split('\n')
    .filter((line) => line.includes('evicts'))
    .map((line) => JSON.parse(line));
  t.hasStrict(lines, [
    { level: 'error', policy: 'allkeys-lru' },
    { level: 'error', policy: 'volatile-ttl' },
    { level: 'info', msg: 'Redis evicts no keys any more' },
  ]);
  await one.state.revoke('id', Date.now() + HOUR);
  t.equal(await one.state.isRevoked('id'), true);
});
