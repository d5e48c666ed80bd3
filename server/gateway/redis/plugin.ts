import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Perf } from 'lru-cache';
import { type Count, createLocalCount, createSharedCount } from '../rate-limit/store.ts';
import { createEnded, openEnded } from '../session/ended.ts';
import { createLocalState, type SharedState } from '../session/shared-state.ts';
import type { SessionStore } from './state.ts';

export type Shared = {
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

/**
 * What gateways share: through Redis where there is one, else each has it for itself.
 * @throws Error when the file of ended sessions cannot be read
 */
export async function openShared({
  redisUrl,
  dataDir,
  ca,
  keys,
  log,
  now,
  perf,
  onRedis,
  lease = LEASE,
}: {
  redisUrl: string | undefined;
  /** Folder in which ended sessions outlive the process where there is no Redis. */
  dataDir?: string | undefined;
  /** PEM of a private authority. */
  ca?: string | undefined;
  keys: readonly Buffer[];
  log: FastifyBaseLogger;
  now: () => number;
  perf?: Perf | undefined;
  /** Told whether Redis can be asked. */
  onRedis: (isUp: boolean) => void;
  lease?: number;
}): Promise<Shared> {
  const count = createLocalCount(perf);
  if (redisUrl === undefined) {
    const ended = dataDir
      ? await openEnded({ path: join(dataDir, 'ended-sessions'), log, now })
      : createEnded(now);
    return { state: createLocalState(now, { ended, perf }), count, close: ended.close };
  }
  const local = createLocalState(now, { perf });
  const { openRedis } = await import('./link.ts');
  const { createRedisState, createSessionStore } = await import('./state.ts');
  const link = await openRedis({ url: redisUrl, ca, log, onChange: onRedis, longSilence: lease / 2 });
  const state = createRedisState({ link, local, keys, lease, now });
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
    const { gateway, metrics } = app;
    const { config, dataDir, keys, now, perf } = gateway;
    const { close, ...state } = await openShared({
      redisUrl: config.redisUrl,
      ca: config.upstreams.ca,
      dataDir,
      keys,
      log: gateway.log,
      now,
      perf,
      onRedis: metrics.setRedis,
    });
    app.decorate('shared', state);
    app.addHook('onClose', close);
  },
  { name: 'shared', dependencies: ['gateway', 'metrics'] },
);
