import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { GatewayConfig, GatewayOptions } from '../options.ts';
import { type Count, createLocalCount, createSharedCount } from '../rate-limit.ts';
import { createEnded, openEnded } from '../session/ended.ts';
import { createLocalState, type SharedState } from '../session/shared-state.ts';
import type { SessionStore } from './state.ts';

type Shared = {
  state: SharedState;
  count: Count;
  /** For sessions that are too large for cookies; only Redis can hold them. */
  store?: SessionStore;
  close: () => Promise<void>;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** What gateways agree on: in this process alone, or through Redis. */
    shared: Omit<Shared, 'close'>;
  }
}

/** Life of a refresh's lock that nobody renews, in milliseconds: a Redis may stand still for that long. */
const LEASE = 60_000;

/** Of the gateway's options, what this reads: ended sessions lie in `dataDir` where there is no Redis. */
type Options = Pick<GatewayOptions, 'dataDir' | 'keys' | 'log' | 'now' | 'perf'> & {
  config: Pick<GatewayConfig, 'redisUrl' | 'upstreams'>;
};

/**
 * What gateways share: through Redis where there is one, else each has it for itself. `onRedis` is told whether Redis can
 * be asked.
 * @throws Error when the file of ended sessions cannot be read
 */
export async function openShared(
  { config, dataDir, keys, log, now, perf }: Options,
  onRedis: (isUp: boolean) => void,
  { lease = LEASE, commandTimeout }: { lease?: number; commandTimeout?: number } = {},
): Promise<Shared> {
  const { redisUrl: url, upstreams } = config;
  const count = createLocalCount(perf);
  if (url === undefined) {
    const path = dataDir && join(dataDir, 'ended-sessions');
    const ended = path ? await openEnded({ path, log, now }) : createEnded(now);
    return { state: createLocalState(now, { ended, perf }), count, close: ended.close };
  }
  const { openRedis } = await import('./link.ts');
  const { createRedisState, createSessionStore } = await import('./state.ts');
  const given = { ca: upstreams.ca, log, onChange: onRedis, longSilence: lease / 2, commandTimeout };
  const link = await openRedis({ url, ...given });
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
    const { close, ...state } = await openShared(app.gateway, app.metrics.setRedis);
    app.decorate('shared', state);
    app.addHook('onClose', close);
  },
  { name: 'shared', dependencies: ['gateway', 'metrics'] },
);
