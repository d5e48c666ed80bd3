import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { type Count, createLocalCount } from '../../http/rate-limit.ts';
import type { GatewayConfig, GatewayOptions } from '../options.ts';
import { createEndedSessions, openEndedSessions } from '../session/ended.ts';
import { createLocalState, type SharedState } from '../session/shared-state.ts';
import { GATEWAY_TIMEOUTS } from '../timeouts.ts';
import type { RedisLink, RedisState } from './link.ts';
import { COUNT, sharedName } from './scripts.ts';
import type { SessionStore } from './state.ts';

type Shared = {
  state: SharedState;
  count: Count;
  /** For sessions that exceed the cookie size limit; only with Redis. */
  store?: SessionStore;
  close: () => Promise<void>;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** State shared by all gateways through Redis, or state of this process if there is no Redis. */
    shared: Omit<Shared, 'close'>;
  }
}

/** Expiry of an abandoned refresh lock, in milliseconds; Redis may be unavailable for that long. */
const LEASE = 60_000;

type Options = Pick<GatewayOptions, 'dataDir' | 'keys' | 'log' | 'now' | 'perf' | 'timeouts'> & {
  config: Pick<GatewayConfig, 'redis' | 'upstreams'>;
};

/**
 * Opens the shared state: in Redis if configured, otherwise in this process, with ended sessions in a file in
 * `dataDir`.
 * @param onRedis called with the state of Redis at the start and at every change
 * @throws Error if the file of ended sessions cannot be read
 */
export async function openShared(
  { config, dataDir, keys, log, now, perf, timeouts }: Options,
  onRedis: (state: RedisState) => void,
  { lease = LEASE }: { lease?: number } = {},
): Promise<Shared> {
  const { redis: address, upstreams } = config;
  const count = createLocalCount(perf);
  if (address === undefined) {
    const path = dataDir && join(dataDir, 'ended-sessions');
    const ended = path ? await openEndedSessions({ path, log, now }) : createEndedSessions(now);
    return { state: createLocalState(now, { ended, perf }), count, close: ended.close };
  }
  const { openRedis } = await import('./link.ts');
  const { createRedisState, createSessionStore } = await import('./state.ts');
  const link = await openRedis({
    address,
    ca: upstreams.ca,
    log,
    onChange: onRedis,
    longSilence: lease / 2,
    timeouts: timeouts?.redis ?? GATEWAY_TIMEOUTS.redis,
  });
  const state = createRedisState(link, createLocalState(now, { perf }), { keys, lease, now });
  return {
    state,
    count: createSharedCount(link, count),
    store: createSessionStore(link, keys),
    async close() {
      await state.finished();
      link.close();
    },
  };
}

export const shared = fp(
  async (app: FastifyInstance) => {
    const { onDegraded } = app.gateway;
    const { close, ...state } = await openShared(app.gateway, (redis) => {
      app.metrics.setRedis(redis.isUp);
      onDegraded?.('redis', problemOf(redis));
    });
    app.decorate('shared', state);
    app.addHook('onClose', close);
  },
  { name: 'shared', dependencies: ['gateway', 'metrics'] },
);

function problemOf({ isUp, evicts }: RedisState): string | undefined {
  if (!isUp) return 'Redis is unavailable: gateways share no ended sessions or limits, and refresh no tokens';
  if (evicts === null) return undefined;
  return `Redis evicts keys (maxmemory-policy ${evicts}): ended sessions may return; set noeviction`;
}

/** Counts shared by all gateways; each counts on its own while Redis is unavailable. */
function createSharedCount(link: RedisLink, local: Count): Count {
  return async (key, window) => {
    const reply = await link.run(undefined, (redis) =>
      redis.eval(COUNT, 1, sharedName('count', key), window),
    );
    if (reply === undefined) return local(key, window);
    const [current = 0, ttl = window] = Object.values(Object(reply)).map(Number);
    return { current, ttl };
  };
}
